import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Host } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { failureOf, hostIn } from "./host-in.ts";

const CONFIG = ".plugboard/mcp.json";

const ANNOTATED = `/*
 * What I use every day.
 */
{
    "$schema": "https://example.com/schema.json", // for the editor
    "mcpServers": {
        // Files of this machine.
        "files": { "command": "npx", "args": ["-y", "files"] },

        /* Talks to the database. */
        "db": {
            "command": "db", // from the package
            "env": { "B": "2", "A": "1" },
        },
    },
    "disabledServers": [],
}
`;

const add = (host: Host, name = "new") =>
  host.config.add({ name, server: { command: "node", args: ["/srv/server.js"] }, scope: "user" });

/** Returns the content of the user's file after an action. */
async function after(sandbox: Sandbox, action: (host: Host) => Promise<unknown>): Promise<string> {
  await using host = await hostIn(sandbox);
  await action(host);
  return readFile(join(sandbox.home, CONFIG), "utf8");
}

describe("an edited file keeps everything else:", () => {
  test.each<[string, (host: Host) => Promise<unknown>, string, string]>([
    [
      "when a server is added",
      add,
      `            "env": { "B": "2", "A": "1" },
        },
`,
      `            "env": { "B": "2", "A": "1" },
        },
        "new": {
            "type": "stdio",
            "command": "node",
            "args": ["/srv/server.js"]
        },
`,
    ],
    [
      "when one is removed",
      (host) => host.config.remove("files"),
      `        "files": { "command": "npx", "args": ["-y", "files"] },
`,
      "",
    ],
    [
      "when one is switched off",
      (host) => host.config.setEnabled("files", false),
      `["-y", "files"] },`,
      `["-y", "files"], "enabled": false },`,
    ],
  ])("%s", async (_, action, before, changed) => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, ANNOTATED);
    expect(await after(sandbox, action)).toBe(ANNOTATED.replace(before, () => changed));
  });

  test("adding and removing a server restores the file", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, ANNOTATED);
    const text = await after(sandbox, async (host) => {
      await add(host);
      await host.config.remove("new");
    });
    expect(text).toBe(ANNOTATED);
  });

  test.each([
    ["two spaces", "  ", "\n"],
    ["four spaces", "    ", "\n"],
    ["tabs", "\t", "\n"],
    ["the line ends of Windows", "  ", "\r\n"],
  ])("its indentation and line ends: %s", async (_, indent, newline) => {
    await using sandbox = await createSandbox();
    const write = (servers: object): string =>
      `${JSON.stringify({ mcpServers: servers }, undefined, indent)}\n`.replaceAll("\n", newline);
    const old = { command: "old" };
    await sandbox.writeHome(CONFIG, write({ old }));
    const text = await after(sandbox, (host) =>
      host.config.add({ name: "new", server: { command: "new" }, scope: "user" }),
    );
    expect(text).toBe(write({ old, new: { type: "stdio", command: "new" } }));
  });

  test.each([
    ["", "\n"],
    ["\ufeff", "\n"],
    ["\ufeff", "\r\n"],
  ])("its byte order mark: %j, with line ends %j", async (mark, newline) => {
    await using sandbox = await createSandbox();
    const lines = ["{", '  "mcpServers": {', '    "old": { "command": "old" }', "  }", "}", ""];
    await sandbox.writeHome(CONFIG, mark + lines.join(newline));
    const text = await after(sandbox, (host) => host.config.setEnabled("old", false));
    expect(text).toBe(mark + lines.join(newline).replace('"old" }', '"old", "enabled": false }'));
  });
});

describe("the mode of the file", () => {
  test.each([0o600, 0o644, 0o664, 0o666, 0o400])("stays %o", async (mode) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, { mcpServers: {} });
    await chmod(file, mode);
    await after(sandbox, add);
    expect((await stat(file)).mode & 0o777).toBe(mode);
  });

  test("gives access only to the owner if the file is new, and so does the mode of its folder", async () => {
    await using sandbox = await createSandbox();
    await after(sandbox, add);
    const file = join(sandbox.home, CONFIG);
    expect([(await stat(file)).mode & 0o777, (await stat(dirname(file))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
  });
});

describe("a config that is a link", () => {
  test("out of its project loses no entry, and neither does the user's own file", async () => {
    await using sandbox = await createSandbox();
    const servers = { mcpServers: { x: { type: "stdio", command: "x" } } };
    const outside = await sandbox.writeHome("elsewhere.json", servers);
    const mine = await sandbox.writeHome(CONFIG, servers);
    await mkdir(join(sandbox.project, ".plugboard"));
    await symlink(outside, join(sandbox.project, CONFIG));
    await using host = await hostIn(sandbox, { trustProject: true });
    for (const scope of [undefined, "project"] as const)
      expect(await failureOf(host.config.remove("x", scope))).toMatchObject({
        code: "CONFIG_UNWRITABLE",
        message: expect.stringContaining("leads out of the project"),
      });
    expect(JSON.parse(await readFile(mine, "utf8"))).toEqual(servers);
    expect(await host.config.remove("x", "user")).toMatchObject({ file: mine });
  });

  test("to a file stays a link, and the file is written", async () => {
    await using sandbox = await createSandbox();
    const target = await sandbox.writeHome("dotfiles/servers.json", '{ "mcpServers": {} }\n');
    await sandbox.writeHome(".plugboard/settings.json", {});
    const link = join(sandbox.home, CONFIG);
    await symlink("../dotfiles/servers.json", link);
    const text = await after(sandbox, add);
    expect(await readlink(link)).toBe("../dotfiles/servers.json");
    expect(await readFile(target, "utf8")).toBe(text);
    expect(Object.keys(JSON.parse(text).mcpServers)).toEqual(["new"]);
    expect(await readdir(dirname(target))).toEqual(["servers.json"]);
  });

  test("to a file that does not exist yet stays a link, and the file is created", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/settings.json", {});
    await sandbox.writeHome("dotfiles/x", "");
    const link = join(sandbox.home, CONFIG);
    await symlink("../dotfiles/servers.json", link);
    await after(sandbox, add);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readdir(join(sandbox.home, "dotfiles"))).toEqual(["servers.json", "x"]);
  });

  test("through its folder is written there", async () => {
    await using sandbox = await createSandbox();
    const target = await sandbox.writeHome("dotfiles/plugboard/mcp.json", '{ "mcpServers": {} }\n');
    await symlink(join(sandbox.home, "dotfiles", "plugboard"), join(sandbox.home, ".plugboard"));
    const text = await after(sandbox, add);
    expect(await readFile(target, "utf8")).toBe(text);
    expect(text).toContain('"new"');
  });
});

describe("a file that cannot be edited safely is not changed:", () => {
  test.each<[string, string, string, string]>([
    [
      "half a file",
      '{\n  "mcpServers": {\n    "a": {',
      ":3:11",
      "ends before the closing } (is it incomplete?); it was not changed.",
    ],
    [
      "a missing comma",
      '{\n  "a": 1\n  "b": 2\n}\n',
      ":3:3",
      'has "\\"b\\"" where a comma or a closing bracket is expected; it was not changed.',
    ],
    ["a list", "[]\n", "", "must contain an object; it was not changed."],
    ["comments only", "// nothing\n", ":1:1", "contains no value; it was not changed."],
  ])("%s", async (_, text, place, message) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, text);
    await using host = await hostIn(sandbox);
    expect(await failureOf(add(host))).toMatchObject({
      code: "CONFIG_INVALID",
      message: `${file}${place} ${message}`,
    });
    expect(await readFile(file, "utf8")).toBe(text);
    expect(await readdir(dirname(file))).toEqual(["mcp.json"]);
  });

  test.each([
    ["servers in a list", '{ "mcpServers": [] }\n', '"mcpServers" is not an object'],
    ["servers that are nothing", '{ "mcpServers": null }\n', '"mcpServers" is not an object'],
  ])("%s", async (_, text, message) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, text);
    await using host = await hostIn(sandbox);
    expect(await failureOf(add(host))).toMatchObject({
      code: "CONFIG_UNWRITABLE",
      message: `${file} cannot be written: ${message}`,
    });
    expect(await readFile(file, "utf8")).toBe(text);
  });

  test("text in another encoding", async () => {
    await using sandbox = await createSandbox();
    const bytes = Buffer.from('\ufeff{ "mcpServers": {} }\n', "utf16le");
    const file = await sandbox.writeHome(CONFIG, bytes);
    await using host = await hostIn(sandbox);
    expect(await failureOf(add(host))).toMatchObject({
      code: "CONFIG_INVALID",
      message: `${file} is not UTF-8 text, so it was not changed.`,
    });
    expect(await readFile(file)).toEqual(bytes);
  });

  test("a duplicate name", async () => {
    await using sandbox = await createSandbox();
    const text = '{ "mcpServers": { "a": { "command": "one" }, "a": { "command": "two" } } }\n';
    const file = await sandbox.writeHome(CONFIG, text);
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.config.remove("a"))).toMatchObject({ code: "CONFIG_UNWRITABLE" });
    expect(await readFile(file, "utf8")).toBe(text);
  });
});

test.each([
  ["an empty file", ""],
  ["a file of white space", " \n\t\n"],
])("%s is a file without servers", async (_, text) => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(CONFIG, text);
  expect(JSON.parse(await after(sandbox, add))).toEqual({
    mcpServers: { new: { type: "stdio", command: "node", args: ["/srv/server.js"] } },
  });
});
