import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Host } from "../../src/index.ts";
import { createSandbox, type FileContent, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { hostIn } from "./host-in.ts";

const { command, args } = stdioServer("raw-server.mjs");
const [script] = args;
const MAP = { mcpServers: { raw: { command, args } } };
const TOML = `[mcp.raw]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
const CURSOR = { mcpServers: { raw: { command, args: ["${env:RAW_SERVER}"] } } };
const VSCODE = { servers: { raw: { type: "stdio", command, args: ["${env:RAW_SERVER}"] } } };
const TOOLLOOP = { servers: { raw: { trust: "trusted", transport: { type: "stdio", command, args } } } };
const OPENCODE = { mcp: { raw: { type: "local", command: [command, ...args] } } };
const CODEX = `[mcp_servers.raw]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;

describe("a server that only another tool's file declares is usable:", () => {
  test.each<[file: string, tool: string, content: FileContent]>([
    [".omp/mcp.json", "omp", MAP],
    [".xcsh/mcp.json", "xcsh", MAP],
    [".pisces/mcp.json", "pisces", MAP],
    [".claude/mcp.json", "claude-code", MAP],
    [".claude/.mcp.json", "claude-code", MAP],
    [".cursor/mcp.json", "cursor", CURSOR],
    [".vscode/mcp.json", "vscode", VSCODE],
    ["codex-toolloop.mcp.json", "codex-toolloop", TOOLLOOP],
    [".codex-toolloop/mcp.json", "codex-toolloop", TOOLLOOP],
    [".opencode/config.toml", "opencode-toml", TOML],
  ])("the project's %s, once approved", async (name, tool, content) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeProject(name, content);
    await using host = await hostIn(sandbox, { env: { ...sandbox.env(), RAW_SERVER: script ?? "" } });
    expect(host.servers()).toMatchObject([{ name: "raw", state: "untrusted", source: { tool, file } }]);
    await host.approvals.approve("raw", host.approvals.request("raw").hash);
    expect(await host.call("raw", "echo", { text: tool })).toMatchObject({ text: tool });
  });

  test.each<[file: string, tool: string, content: FileContent]>([
    [".omp/mcp.json", "omp", MAP],
    [".omp/agent/mcp.json", "omp", MAP],
    [".xcsh/mcp.json", "xcsh", MAP],
    [".xcsh/agent/mcp.json", "xcsh", MAP],
    [".pisces/mcp.json", "pisces", MAP],
    [".pisces/agent/mcp.json", "pisces", MAP],
    [".claude/mcp.json", "claude-code", MAP],
    [".config/opencode/opencode.json", "opencode", OPENCODE],
    [".codex/config.toml", "codex", CODEX],
    [".gemini/settings.json", "gemini", MAP],
  ])("the user's ~/%s, immediately", async (name, tool, content) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(name, content);
    await using host = await hostIn(sandbox);
    expect(host.servers()).toMatchObject([{ name: "raw", state: "idle", source: { tool, file } }]);
    expect(await host.call("raw", "echo", { text: tool })).toMatchObject({ text: tool });
  });
});

test.each<[file: string, key: string]>([
  [".vscode/mcp.json", "servers"],
  [".roo/mcp.json", "mcpServers"],
])("the servers of %s run in its project, from any of its subfolders", async (file, key) => {
  await using sandbox = await createSandbox();
  const tools = stdioServer("tools-server.mjs", [], { SPACE: "${workspaceFolder}" });
  await sandbox.writeProject(file, { [key]: { plain: tools, below: { ...tools, cwd: "deep/er" } } });
  await sandbox.writeProject("deep/er/note.txt", "");
  await sandbox.writeProject(".git/HEAD", "");
  const cwd = join(sandbox.project, "deep");
  await using host = await hostIn(sandbox, { cwd, trustProject: true });
  expect(await host.call("plain", "cwd")).toMatchObject({ text: sandbox.project });
  expect(await host.call("below", "cwd")).toMatchObject({ text: join(cwd, "er") });
  expect(await host.call("plain", "env", { name: "SPACE" })).toMatchObject({ text: sandbox.project });
});

const one = (fields: object) => ({ mcpServers: { one: fields } });
const entry = (file: string) => ({ type: "stdio", command: file });

/** A project file of each tool, first in precedence first; each starts its own path. */
const RANKED: readonly (readonly [file: string, content: (file: string) => FileContent])[] = [
  [".plugboard/mcp.json", (file) => one(entry(file))],
  [".omp/mcp.json", (file) => one(entry(file))],
  [".xcsh/mcp.json", (file) => one(entry(file))],
  [".pisces/mcp.json", (file) => one(entry(file))],
  [
    "codex-toolloop.mcp.json",
    (file) => ({ servers: { one: { trust: "trusted", transport: { type: "stdio", command: file } } } }),
  ],
  [".claude/mcp.json", (file) => one(entry(file))],
  [".codex/config.toml", (file) => `[mcp_servers.one]\ncommand = "${file}"\n`],
  [".gemini/settings.json", (file) => one({ command: file })],
  ["opencode.json", (file) => ({ mcp: { one: { type: "local", command: [file] } } })],
  [".cursor/mcp.json", (file) => one(entry(file))],
  [".amazonq/mcp.json", (file) => one({ command: file })],
  [".roo/mcp.json", (file) => one({ command: file })],
  [".vscode/mcp.json", (file) => ({ servers: { one: entry(file) } })],
  ["mcp.json", (file) => one(entry(file))],
];

async function hostWith(
  sandbox: Sandbox,
  ranked: typeof RANKED,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Host> {
  for (const [file, content] of ranked) await sandbox.writeProject(file, content(file));
  await sandbox.writeHome(".plugboard/settings.json", settings);
  return hostIn(sandbox, { trustProject: true });
}

const paths = RANKED.map(([file]) => file);

describe("one name in the files of many tools", () => {
  test("refers to the whole entry of the tool with the highest priority, and the others stay visible in order", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostWith(sandbox, RANKED);
    const [server, ...more] = host.servers();
    expect(more).toEqual([]);
    expect([
      server?.command,
      ...(await host.config.explain("one")).shadowed.map((shadowed) => shadowed.command),
    ]).toEqual(paths);
  });

  test.each([".omp/mcp.json", ".xcsh/mcp.json", ".pisces/mcp.json"])(
    "refers to the entry of %s before that of the root mcp.json and .mcp.json",
    async (file) => {
      await using sandbox = await createSandbox();
      const root = ["mcp.json", ".mcp.json"].map((name) => [name, () => one(entry(name))] as const);
      await using host = await hostWith(sandbox, [...root, [file, () => one(entry(file))]]);
      expect(host.servers().map((server) => server.command)).toEqual([file]);
    },
  );

  test.each(RANKED.slice(0, -1))(
    "refers to the entry of %s before that of the root mcp.json",
    async (file, content) => {
      await using sandbox = await createSandbox();
      await using host = await hostWith(sandbox, [
        ["mcp.json", () => one(entry("root"))],
        [file, content],
      ]);
      expect(host.servers().map((server) => server.command)).toEqual([file]);
    },
  );
});

test("the servers of all tools are in one list, in the order of the tools", async () => {
  await using sandbox = await createSandbox();
  const named = RANKED.map(([file, content], index) => {
    const text = (path: string): FileContent => {
      const written = content(path);
      const whole = typeof written === "string" ? written : JSON.stringify(written);
      return whole.replace('"one"', `"s${index}"`).replace(".one]", `.s${index}]`);
    };
    return [file, text] as const;
  });
  await using host = await hostWith(sandbox, named);
  expect(host.servers().map(({ name, command: path }) => [name, path])).toEqual(
    paths.map((path, index) => [`s${index}`, path]),
  );
});

describe("settings", () => {
  test("disable tools and set the order of others", async () => {
    await using sandbox = await createSandbox();
    const settings = {
      providers: { omp: false, "roo-code": false, cursor: true },
      providerOrder: ["vscode", "codex"],
    };
    await using host = await hostWith(sandbox, RANKED, settings);
    const first = [".vscode/mcp.json", ".codex/config.toml"];
    const off = [".omp/mcp.json", ".roo/mcp.json"];
    expect([
      host.servers()[0]?.command,
      ...(await host.config.explain("one")).shadowed.map((entry_) => entry_.command),
    ]).toEqual([...first, ...paths.filter((path) => ![...first, ...off].includes(path))]);
  });

  test.each([
    ["disabledServers", { disabledServers: ["one"] }, { command: "x" }, false],
    ["enabledServers", { enabledServers: ["one"] }, { command: "x", disabled: true }, true],
    ["both", { disabledServers: ["one"], enabledServers: ["one"] }, { command: "x", disabled: true }, false],
  ])("disable or enable a single server of another tool: %s", async (_, lists, server, enabled) => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", lists);
    await sandbox.writeHome(".codeium/windsurf/mcp_config.json", one(server));
    await using host = await hostIn(sandbox);
    const key = enabled ? "enabledServers" : "disabledServers";
    expect(host.servers()).toMatchObject([{ name: "one", enabled }]);
    expect((await host.config.explain("one")).reasons).toContain(
      `${enabled ? "enabled" : "disabled"}: "${key}" in your own config`,
    );
  });
});
