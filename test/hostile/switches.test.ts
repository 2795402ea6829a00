import { join } from "node:path";
import { expect, test } from "vitest";
import { reportTests } from "../durability/counts.ts";
import { failureOf, hostIn } from "../flow/host-in.ts";
import { createSandbox } from "../support/sandbox.ts";

reportTests("hostile home folders, switches, code caches and huge files: no code run, no huge file read");

const ON = { enabledPlugins: { "tools@acme": true } };

test.each([".claude/settings.json", ".claude/settings.local.json"])(
  "a project cannot start a plugin that the user disabled, with %s",
  async (file) => {
    await using sandbox = await createSandbox();
    const root = join(sandbox.home, ".claude", "plugins", "cache", "tools");
    await sandbox.writeHome(".claude/plugins/installed_plugins.json", {
      version: 2,
      plugins: { "tools@acme": [{ scope: "user", installPath: root }] },
    });
    await sandbox.writeHome(".claude/plugins/cache/tools/.mcp.json", { one: { command: process.execPath } });
    await sandbox.writeHome(".claude/settings.json", { enabledPlugins: { "tools@acme": false } });
    await sandbox.writeProject(file, ON);
    await using host = await hostIn(sandbox, { trustProject: true });
    expect(await failureOf(host.connect("plugin:tools:one"))).toMatchObject({ code: "SERVER_DISABLED" });
  },
);

/** Where each tool stores the user's disabled server, and how a project would enable it. */
const SWITCHES: readonly (readonly [
  string,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>,
])[] = [
  [
    "Plugboard",
    { ".plugboard/mcp.json": { mcpServers: { one: { command: "x" } }, disabledServers: ["one"] } },
    { ".plugboard/mcp.json": { enabledServers: ["one"] } },
  ],
  [
    "Codex",
    { ".codex/config.toml": '[mcp_servers.one]\ncommand = "x"\nenabled = false\n' },
    { ".codex/config.toml": "[mcp_servers.one]\nenabled = true\n" },
  ],
  [
    "opencode",
    { ".config/opencode/opencode.json": { mcp: { one: { type: "local", command: ["x"], enabled: false } } } },
    { "opencode.json": { mcp: { one: { enabled: true } } } },
  ],
  [
    "Crush",
    { ".config/crush/crush.json": { mcp: { one: { type: "stdio", command: "x", disabled: true } } } },
    { "crush.json": { mcp: { one: { disabled: false } } } },
  ],
  [
    "Gemini CLI's list of excluded servers",
    { ".gemini/settings.json": { mcpServers: { one: { command: "x" } }, mcp: { excluded: ["one"] } } },
    { ".gemini/settings.json": { mcp: { excluded: [], allowed: ["one"] } } },
  ],
  [
    "Gemini CLI's list of allowed servers",
    { ".gemini/settings.json": { mcpServers: { one: { command: "x" } }, mcp: { allowed: ["two"] } } },
    { ".gemini/settings.json": { mcp: { allowed: ["one"] } } },
  ],
  [
    "Qwen Code",
    { ".qwen/settings.json": { mcpServers: { one: { command: "x" } }, mcp: { excluded: ["one"] } } },
    { ".qwen/settings.json": { mcp: { excluded: [] } } },
  ],
  [
    "GitHub Copilot CLI",
    {
      ".copilot/mcp-config.json": { mcpServers: { one: { command: "x" } } },
      ".copilot/settings.json": { disabledMcpServers: ["one"] },
    },
    { ".copilot/settings.json": { disabledMcpServers: [] } },
  ],
  [
    "oh-my-pi",
    { ".omp/mcp.json": { mcpServers: { one: { command: "x" } }, disabledServers: ["one"] } },
    { ".omp/mcp.json": { enabledServers: ["one"] } },
  ],
  [
    "VS Code",
    {
      ".config/Code/User/mcp.json": { servers: { one: { command: "x" } } },
      ".config/Code/User/settings.json": { "chat.mcp.access": "none" },
    },
    { ".vscode/settings.json": { "chat.mcp.access": "all" } },
  ],
];

test.each(SWITCHES)(
  "a project cannot enable a server that the user disabled: %s",
  async (_, home, project) => {
    await using sandbox = await createSandbox();
    for (const [path, content] of Object.entries(home)) await sandbox.writeHome(path, content as string);
    for (const [path, content] of Object.entries(project))
      await sandbox.writeProject(path, content as string);
    await using host = await hostIn(sandbox);
    expect(host.servers().map(({ name, state }) => [name, state])).toEqual([["one", "disabled"]]);
  },
);
