import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

const CONFIG = ".plugboard/mcp.json";
const SERVER = {
  type: "stdio",
  command: "node",
  args: ["${DIR}"],
  env: { A: "1" },
  timeout: 5_000,
  label: "x",
};

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8"));
}

describe("removing", () => {
  test("removes a server from its file and stops it", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, {
      mcpServers: { keep: { command: "node" }, raw: stdioServer("raw-server.mjs") },
    });
    await using host = await hostIn(sandbox);
    await host.connect("raw");
    expect(await host.config.remove("raw")).toEqual({ name: "raw", file, scope: "user" });
    expect(await readJson(file)).toEqual({ mcpServers: { keep: { command: "node" } } });
    expect(host.servers().map(({ name }) => name)).toEqual(["keep"]);
    expect(await failureOf(host.call("raw", "echo"))).toMatchObject({ code: "SERVER_UNKNOWN" });
  });

  test("prefers the project's file to the user's, unless a scope is given", async () => {
    await using sandbox = await createSandbox();
    const servers = { mcpServers: { both: { command: "node" } } };
    const user = await sandbox.writeHome(CONFIG, servers);
    const project = await sandbox.writeProject(CONFIG, servers);
    await using host = await hostIn(sandbox);
    expect(await host.config.remove("both", "user")).toEqual({ name: "both", file: user, scope: "user" });
    await sandbox.writeHome(CONFIG, servers);
    await host.reload();
    expect(await host.config.remove("both")).toEqual({ name: "both", file: project, scope: "project" });
    expect(await host.config.remove("both")).toEqual({ name: "both", file: user, scope: "user" });
  });

  test("also removes an invalid entry", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, { mcpServers: { odd: 5, "bad name": { command: "x" } } });
    await using host = await hostIn(sandbox);
    await host.config.remove("odd");
    await host.config.remove("bad name");
    expect(await readJson(file)).toEqual({ mcpServers: {} });
  });

  test("from another tool's file is refused, and that file is named", async () => {
    await using sandbox = await createSandbox();
    const text = '{ "mcpServers": { "theirs": { "command": "node" } } }';
    const file = await sandbox.writeHome(".cursor/mcp.json", text);
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.config.remove("theirs"))).toEqual({
      code: "CONFIG_NOT_FOUND",
      message: `Server "theirs" not found in Plugboard's own config.`,
      hint: `It comes from ${file}:1:19, which Plugboard does not edit. Disable it instead, or remove it there.`,
      server: "theirs",
    });
    expect(await readFile(file, "utf8")).toBe(text);
  });

  test("an unknown server creates no file", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.config.remove("nothing"))).toMatchObject({ code: "SERVER_UNKNOWN" });
    await expect(readFile(join(sandbox.home, CONFIG))).rejects.toThrow("ENOENT");
  });
});

describe("moving", () => {
  test("moves a server from the user's file to the project's, where it is approved, and back", async () => {
    await using sandbox = await createSandbox();
    const user = await sandbox.writeHome(CONFIG, { mcpServers: { mine: SERVER, other: { command: "x" } } });
    const project = join(sandbox.project, CONFIG);
    await using host = await hostIn(sandbox);
    expect(await host.config.move("mine", "project")).toEqual({
      name: "mine",
      file: project,
      scope: "project",
    });
    expect([await readJson(user), await readJson(project)]).toEqual([
      { mcpServers: { other: { command: "x" } } },
      { mcpServers: { mine: SERVER } },
    ]);
    expect(host.servers().map(({ name, state, tier }) => [name, state, tier])).toEqual([
      ["mine", "idle", "project"],
      ["other", "idle", "user"],
    ]);
    await host.config.move("mine", "user");
    expect([await readJson(user), await readJson(project)]).toEqual([
      { mcpServers: { other: { command: "x" }, mine: SERVER } },
      { mcpServers: {} },
    ]);
  });

  test("makes a project's launch the user's own only after the user has approved it", async () => {
    await using sandbox = await createSandbox();
    const text = '{ "mcpServers": { "theirs": { "type": "stdio", "command": "evil" } } }';
    const project = await sandbox.writeProject(CONFIG, text);
    await using host = await hostIn(sandbox, { trustProject: true });
    expect(await failureOf(host.config.move("theirs", "user"))).toEqual({
      code: "INTERACTION_REQUIRED",
      message: 'Server "theirs" needs your approval before you can move it to your own config.',
      hint: "Review what it would run, then approve it.",
      server: "theirs",
    });
    expect(await readFile(project, "utf8")).toBe(text);
    await host.approvals.approve("theirs", host.approvals.request("theirs").hash);
    expect(await host.config.move("theirs", "user")).toMatchObject({ scope: "user" });
  });

  test("to a file that already has a server with this name is refused, and nothing is lost", async () => {
    await using sandbox = await createSandbox();
    const user = await sandbox.writeHome(CONFIG, { mcpServers: { both: { command: "mine" } } });
    const project = await sandbox.writeProject(CONFIG, { mcpServers: { both: { command: "theirs" } } });
    await using host = await hostIn(sandbox);
    for (const [scope, file] of [
      ["user", user],
      ["project", project],
    ] as const) {
      expect(await failureOf(host.config.move("both", scope))).toMatchObject({
        code: "CONFIG_EXISTS",
        message: `Server "both" already exists in ${file}`,
      });
    }
    expect([await readJson(user), await readJson(project)]).toEqual([
      { mcpServers: { both: { command: "mine" } } },
      { mcpServers: { both: { command: "theirs" } } },
    ]);
  });

  test("out of another tool's file is refused", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { theirs: { command: "node" } } });
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.config.move("theirs", "project"))).toEqual({
      code: "CONFIG_NOT_FOUND",
      message: `Server "theirs" is not in Plugboard's own config.`,
      hint: `It comes from ${file}. Import it first.`,
      server: "theirs",
    });
  });
});
