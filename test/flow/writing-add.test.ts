import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

const CONFIG = ".plugboard/mcp.json";

describe("a server that is added", () => {
  test.each(["project", "user"] as const)(
    "to the %s's file is available immediately, and in every later host",
    async (scope) => {
      await using sandbox = await createSandbox();
      const file = join(scope === "user" ? sandbox.home : sandbox.project, CONFIG);
      {
        await using host = await hostIn(sandbox);
        const { command, args } = stdioServer("raw-server.mjs");
        expect(await host.config.add({ name: "raw", server: { command, args }, scope })).toEqual({
          name: "raw",
          file,
          scope,
        });
        expect(host.servers().map(({ name, source }) => [name, source.file])).toEqual([["raw", file]]);
        expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
          mcpServers: { raw: { type: "stdio", command, args } },
        });
      }
      await using later = await hostIn(sandbox);
      expect(await later.call("raw", "echo", { text: "hi" })).toMatchObject({ text: "hi" });
    },
  );

  test("to the project is approved exactly as written", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(".mcp.json", { mcpServers: { other: { command: "evil" } } });
    await using host = await hostIn(sandbox);
    await host.config.add({ name: "mine", server: { command: "node" }, scope: "project" });
    expect(host.servers().map(({ name, state }) => [name, state])).toEqual([
      ["mine", "idle"],
      ["other", "untrusted"],
    ]);
    await sandbox.writeProject(CONFIG, { mcpServers: { mine: { type: "stdio", command: "evil" } } });
    await host.reload();
    expect(host.approvals.request("mine").status).toBe("changed");
  });

  test("a second time does not approve another launch with the same name", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(".mcp.json", { mcpServers: { tool: { command: "evil" } } });
    await using host = await hostIn(sandbox);
    const request = { name: "tool", server: { command: "node" }, scope: "project" } as const;
    await host.config.add(request);
    await host.config.remove("tool");
    await host.config.add(request);
    await host.config.remove("tool");
    expect(host.servers().map(({ name, command, state }) => [name, command, state])).toEqual([
      ["tool", "evil", "untrusted"],
    ]);
  });

  test("to a project whose file is also named by the environment needs no approval", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeProject(CONFIG, { mcpServers: {} });
    await using host = await hostIn(sandbox, { env: { ...sandbox.env(), PLUGBOARD_MCP_CONFIG_PATH: file } });
    await host.config.add({ name: "mine", server: { command: "node" }, scope: "project" });
    expect(host.servers().map(({ name, state }) => [name, state])).toEqual([["mine", "idle"]]);
  });

  test("takes precedence over another tool's server with the same name, which stays visible", async () => {
    await using sandbox = await createSandbox();
    const theirs = await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { db: { command: "theirs" } } });
    await using host = await hostIn(sandbox);
    const { file } = await host.config.add({ name: "db", server: { command: "mine" }, scope: "user" });
    expect(host.servers({ all: true }).map(({ command, source }) => [command, source.file])).toEqual([
      ["mine", file],
      ["theirs", theirs],
    ]);
  });

  test("is not connected yet", async () => {
    await using sandbox = await createSandbox();
    const canary = join(sandbox.home, "canary");
    const args = ["-e", `require("fs").writeFileSync(${JSON.stringify(canary)}, "")`];
    await using host = await hostIn(sandbox);
    await host.config.add({ name: "raw", server: { command: process.execPath, args }, scope: "user" });
    expect(existsSync(canary)).toBe(false);
  });

  test("goes into the project's nearest file, else into one at its root", async () => {
    await using sandbox = await createSandbox();
    const deep = join(sandbox.project, "packages", "app");
    await sandbox.writeProject("packages/app/x", "");
    await using host = await hostIn(sandbox, { cwd: deep });
    const request = { server: { command: "node" }, scope: "project" } as const;
    expect((await host.config.add({ name: "a", ...request })).file).toBe(join(sandbox.project, CONFIG));
    const nearer = await sandbox.writeProject("packages/.plugboard/mcp.json", { mcpServers: {} });
    expect((await host.config.add({ name: "b", ...request })).file).toBe(nearer);
  });

  test("to the project while in the home folder is refused: that file is the user's own", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { cwd: sandbox.home });
    expect(
      await failureOf(host.config.add({ name: "x", server: { command: "node" }, scope: "project" })),
    ).toEqual({
      code: "CONFIG_UNWRITABLE",
      message: "Your home folder is not a project. Its config file is the user's own.",
      hint: "Use the user scope.",
    });
  });
});

describe("an added entry", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["a command", { command: "node", args: ["/x"] }, { type: "stdio", command: "node", args: ["/x"] }],
    ["a url", { url: "https://host/mcp" }, { type: "http", url: "https://host/mcp" }],
    [
      "a type that is said",
      { type: "sse", url: "https://host/sse" },
      { type: "sse", url: "https://host/sse" },
    ],
  ])("always has its type: %s", async (_, server, expected) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    const { file } = await host.config.add({ name: "x", server, scope: "user" });
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ mcpServers: { x: expected } });
  });

  test("is written under `servers` if the file has its servers there", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, { servers: { a: { command: "a" } } });
    await using host = await hostIn(sandbox);
    await host.config.add({ name: "b", server: { command: "b" }, scope: "user" });
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
      servers: { a: { command: "a" }, b: { type: "stdio", command: "b" } },
    });
    expect(host.servers().map(({ name }) => name)).toEqual(["a", "b"]);
  });
});

describe("a name that is taken", () => {
  test.each<[string, unknown]>([
    ["a server", { command: "old" }],
    ["an entry that makes no sense", "old"],
  ])("by %s is not overwritten", async (_, old) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, { mcpServers: { taken: old } });
    const before = await readFile(file, "utf8");
    await using host = await hostIn(sandbox);
    expect(
      await failureOf(host.config.add({ name: "taken", server: { command: "new" }, scope: "user" })),
    ).toEqual({
      code: "CONFIG_EXISTS",
      message: `Server "taken" already exists in ${file}`,
      hint: "Remove it first, or choose another name.",
      server: "taken",
    });
    expect(await readFile(file, "utf8")).toBe(before);
  });

  test("is replaced on request", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, { mcpServers: { taken: { command: "old" } } });
    await using host = await hostIn(sandbox);
    await host.config.add({ name: "taken", server: { command: "new" }, scope: "user", replace: true });
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
      mcpServers: { taken: { type: "stdio", command: "new" } },
    });
  });

  test("only in the other scope's file can be used here", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { both: { command: "mine" } } });
    await using host = await hostIn(sandbox);
    await host.config.add({ name: "both", server: { command: "ours" }, scope: "project" });
    expect(host.servers({ all: true }).map(({ command, source }) => [command, source.scope])).toEqual([
      ["ours", "project"],
      ["mine", "user"],
    ]);
  });
});

describe("before anything is written,", () => {
  test.each<[string, string]>([
    ["", "Server name cannot be empty"],
    ["x".repeat(101), "Server name is too long (max 100 characters)"],
    ...["a b", "a/b", "ä", "a:b", "@scope", "a\nb", " x"].map((name): [string, string] => [
      name,
      "Server name can only contain letters, numbers, dash, underscore and dot",
    ]),
    ...[".", "..", "__proto__", "constructor", "prototype"].map((name): [string, string] => [
      name,
      `Server name "${name}" is reserved`,
    ]),
  ])("the name %j is refused", async (name, message) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.config.add({ name, server: { command: "node" }, scope: "user" }))).toEqual({
      code: "CONFIG_INVALID",
      message: `Invalid server config: ${message}`,
      server: name,
    });
    expect(existsSync(join(sandbox.home, ".plugboard"))).toBe(false);
  });

  test.each<[string, JsonObject, string]>([
    [
      "a command and a url",
      { command: "node", url: "https://host" },
      'both "command" and "url" are set - server should be either stdio (command) OR http/sse (url), not both',
    ],
    ["a program without a command", { type: "stdio" }, 'stdio server requires "command" field'],
    ["nothing at all", {}, 'stdio server requires "command" field'],
    ["a remote server without a url", { type: "http" }, 'http server requires "url" field'],
    ["an SSE server without a url", { type: "sse" }, 'sse server requires "url" field'],
    [
      "an unknown type",
      { type: "smoke", url: "https://host" },
      'unknown server type "smoke" (use "stdio", "http" or "sse")',
    ],
    ["a url that is none", { url: "not a url" }, '"not a url" is not an http or https URL'],
    ["a url of another kind", { url: "ftp://host" }, '"ftp://host" is not an http or https URL'],
    [
      "a field that nobody knows",
      { command: "node", comand: "x" },
      '"comand" is not a known field; did you mean "command"?',
    ],
    [
      "two wrong values",
      { command: "node", timeout: "soon", enabled: "yes" },
      '"enabled" must be true or false; "timeout" must be a number of milliseconds',
    ],
  ])("%s is refused", async (_, server, message) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.config.add({ name: "x", server, scope: "user" }))).toEqual({
      code: "CONFIG_INVALID",
      message: `Invalid server config: ${message}`,
      server: "x",
    });
    expect(existsSync(join(sandbox.home, ".plugboard"))).toBe(false);
  });
});

test.each(["a", "A-z_0.9", "x".repeat(100), "...", "toString"])(
  "the name %j is written and read back",
  async (name) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    await host.config.add({ name, server: { command: "node" }, scope: "user" });
    expect(host.servers().map((server) => [server.name, server.problems])).toEqual([[name, []]]);
  },
);

test("a host that is closed writes nothing", async () => {
  await using sandbox = await createSandbox();
  const host = await hostIn(sandbox);
  await host.close();
  expect(
    await failureOf(host.config.add({ name: "x", server: { command: "node" }, scope: "user" })),
  ).toMatchObject({
    code: "HOST_CLOSED",
  });
  expect(existsSync(join(sandbox.home, ".plugboard"))).toBe(false);
});

test("nothing is written if the real path of the project's file is unknown, and the error explains that", async () => {
  await using sandbox = await createSandbox();
  const { files } = nodePorts();
  const refuse = () => Promise.reject(Object.assign(new Error("EACCES: no"), { code: "EACCES" }));
  const add = async (broken: Partial<typeof files>): Promise<unknown> => {
    await using host = await hostIn(sandbox, { ports: { files: { ...files, ...broken } } });
    return await host.config.add({ name: "new", scope: "project", server: { command: "true" } });
  };
  const realPath = (path: string) => (path.startsWith(sandbox.project) ? refuse() : files.realPath(path));
  expect(await failureOf(add({ realPath }))).toMatchObject({ code: "CONFIG_UNWRITABLE" });
  const kind = (path: string) => (path.endsWith("mcp.json") ? refuse() : files.kind(path));
  expect(await add({ kind })).toMatchObject({ name: "new" });
});
