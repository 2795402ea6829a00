import { expect, test } from "vitest";
import { PROVIDERS } from "../../src/discovery/providers/index.ts";
import { type Machine, readOn } from "../support/machine.ts";

const ONE = { one: { command: "server" } };
const MAP = { mcpServers: ONE };
const SERVERS = { servers: ONE };
const LOCAL = { one: { type: "local", command: ["server"] } };
const OPENCODE = { mcp: LOCAL };
const CRUSH = { mcp: { one: { type: "stdio", command: "server" } } };
const CRUSHRC = "mcp add one --command server\n";
const TOOLLOOP = { servers: { one: { trust: "trusted", transport: { type: "stdio", command: "server" } } } };
const GOOSE = "extensions:\n  one: { type: stdio, enabled: true, cmd: server }\n";

/** Returns what a provider finds on a machine with one file, with scope and tier. */
async function find(
  id: string,
  path: string,
  value: unknown,
  machine: Omit<Machine, "files">,
): Promise<string[]> {
  const provider = PROVIDERS.find((candidate) => candidate.id === id);
  if (provider === undefined) throw new Error(`there is no provider ${id}`);
  const { entries } = await readOn(provider, { ...machine, files: { [path]: value } });
  return entries.map(
    ({ name, source }) => `${name} in ${source.file}, ${source.scope} of tier ${source.tier}`,
  );
}

const user = (path: string): string[] => [`one in ${path}, user of tier user`];
const project = (path: string): string[] => [`one in ${path}, project of tier project`];
const managed = (path: string): string[] => [`one in ${path}, managed of tier managed`];

const SUPPORT = "/Users/me/Library/Application Support";

test.each([
  ["omp", "/Users/me/.omp/agent/mcp.json", MAP],
  ["omp", "/Users/me/.omp/agent/.mcp.json", MAP],
  ["omp", "/Users/me/.omp/mcp.json", MAP],
  ["xcsh", "/Users/me/.xcsh/agent/mcp.json", MAP],
  ["xcsh", "/Users/me/.xcsh/mcp.json", MAP],
  ["pisces", "/Users/me/.pisces/agent/mcp.json", MAP],
  ["pisces", "/Users/me/.pisces/mcp.json", MAP],
  ["opencode", "/Users/me/.config/opencode/config.json", OPENCODE],
  ["opencode", "/Users/me/.config/opencode/opencode.json", OPENCODE],
  ["opencode", "/Users/me/.config/opencode/opencode.jsonc", OPENCODE],
  ["opencode", "/Users/me/.opencode/opencode.jsonc", OPENCODE],
  ["kilo-code", "/Users/me/.config/kilo/kilo.json", OPENCODE],
  ["kilo-code", "/Users/me/.kilo/kilo.jsonc", OPENCODE],
  ["kilo-code", "/Users/me/.kilocode/cli/global/settings/mcp_settings.json", MAP],
  ["kilo-code", `${SUPPORT}/Code/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json`, MAP],
  ["crush", "/Users/me/.config/crush/crush.json", CRUSH],
  ["crush", "/Users/me/.config/crush/crushrc", CRUSHRC],
  ["crush", "/Users/me/.local/share/crush/crush.json", CRUSH],
  ["gemini", "/Users/me/.gemini/settings.json", MAP],
  ["gemini", "/Users/me/.gemini/extensions/acme/gemini-extension.json", { name: "acme", ...MAP }],
  ["qwen-code", "/Users/me/.qwen/settings.json", MAP],
  ["qwen-code", "/Users/me/.qwen/extensions/acme/qwen-extension.json", { name: "acme", ...MAP }],
  ["antigravity", "/Users/me/.gemini/config/mcp_config.json", MAP],
  ["antigravity", "/Users/me/.gemini/antigravity/mcp_config.json", MAP],
  ["goose", "/Users/me/.config/goose/config.yaml", GOOSE],
  ["vscode", `${SUPPORT}/Code/User/mcp.json`, SERVERS],
  ["vscode", `${SUPPORT}/Code - Insiders/User/mcp.json`, SERVERS],
  ["vscode", `${SUPPORT}/VSCodium/User/mcp.json`, SERVERS],
  ["vscode", `${SUPPORT}/Code/User/profiles/-1a2b/mcp.json`, SERVERS],
  ["vscode", `${SUPPORT}/VSCodium/User/settings.json`, { mcp: SERVERS }],
  ["vscode", `${SUPPORT}/Code/User/profiles/-1a2b/settings.json`, { mcp: SERVERS }],
  ["vscode", "/Users/me/.vscode-server/data/User/mcp.json", SERVERS],
  ["zencoder", `${SUPPORT}/Code - Insiders/User/settings.json`, { "zencoder.mcpServers": ONE }],
  ["copilot-cli", "/Users/me/.copilot/mcp-config.json", MAP],
])("on macOS %s reads the user's %s", async (id, path, value) => {
  expect(await find(id, path, value, { platform: "darwin" })).toEqual(user(path));
});

const HOME = "C:\\Users\\me";
const ROAMING = `${HOME}\\AppData\\Roaming`;

test.each([
  ["omp", `${HOME}\\.omp\\agent\\mcp.json`, MAP],
  ["xcsh", `${HOME}\\.xcsh\\mcp.json`, MAP],
  ["pisces", `${HOME}\\.pisces\\agent\\.mcp.json`, MAP],
  ["opencode", `${HOME}\\.config\\opencode\\opencode.json`, OPENCODE],
  ["opencode", `${HOME}\\.opencode\\opencode.json`, OPENCODE],
  ["kilo-code", `${HOME}\\.config\\kilo\\kilo.jsonc`, OPENCODE],
  [
    "kilo-code",
    `${ROAMING}\\Code\\User\\globalStorage\\kilocode.kilo-code\\settings\\mcp_settings.json`,
    MAP,
  ],
  ["crush", `${HOME}\\.config\\crush\\crush.json`, CRUSH],
  ["crush", `${HOME}\\.config\\crush\\crushrc`, CRUSHRC],
  ["crush", `${HOME}\\AppData\\Local\\crush\\crush.json`, CRUSH],
  ["gemini", `${HOME}\\.gemini\\settings.json`, MAP],
  ["gemini", `${HOME}\\.gemini\\extensions\\acme\\gemini-extension.json`, { name: "acme", ...MAP }],
  ["qwen-code", `${HOME}\\.qwen\\settings.json`, MAP],
  ["antigravity", `${HOME}\\.gemini\\config\\mcp_config.json`, MAP],
  ["goose", `${ROAMING}\\Block\\goose\\config\\config.yaml`, GOOSE],
  ["vscode", `${ROAMING}\\Code\\User\\mcp.json`, SERVERS],
  ["vscode", `${ROAMING}\\Code - Insiders\\User\\profiles\\-1a2b\\mcp.json`, SERVERS],
  ["vscode", `${ROAMING}\\Code\\User\\settings.json`, { mcp: SERVERS }],
  ["zencoder", `${ROAMING}\\VSCodium\\User\\settings.json`, { "zencoder.mcpServers": ONE }],
  ["visual-studio", `${HOME}\\.mcp.json`, SERVERS],
  ["copilot-cli", `${HOME}\\.copilot\\mcp-config.json`, MAP],
])("on Windows %s reads the user's %s", async (id, path, value) => {
  expect(await find(id, path, value, { platform: "win32" })).toEqual(user(path));
});

test.each([
  ["omp", ".omp/mcp.json", MAP],
  ["omp", ".omp/.mcp.json", MAP],
  ["xcsh", ".xcsh/.mcp.json", MAP],
  ["pisces", ".pisces/.mcp.json", MAP],
  ["codex-toolloop", "codex-toolloop.mcp.json", TOOLLOOP],
  ["codex-toolloop", ".codex-toolloop/mcp.json", TOOLLOOP],
  ["opencode", "opencode.jsonc", OPENCODE],
  ["opencode", ".opencode/opencode.json", OPENCODE],
  ["opencode-toml", ".opencode/config.toml", '[mcp.one]\ncommand = "server"\n'],
  ["kilo-code", "kilo.json", OPENCODE],
  ["kilo-code", ".kilo/kilo.jsonc", OPENCODE],
  ["kilo-code", ".kilocode/mcp.json", MAP],
  ["crush", "crush.json", CRUSH],
  ["crush", ".crush.json", CRUSH],
  ["crush", "crushrc", CRUSHRC],
  ["crush", ".crushrc", CRUSHRC],
  ["gemini", ".gemini/settings.json", MAP],
  ["qwen-code", ".qwen/settings.json", MAP],
  ["qwen-code", ".mcp.json", MAP],
  ["antigravity", ".agents/mcp_config.json", MAP],
  ["goose", ".goose/config.yaml", GOOSE],
  ["vscode", ".vscode/mcp.json", SERVERS],
  ["vscode", ".vscode/settings.json", { mcp: SERVERS }],
  ["vscode", "mine.code-workspace", { settings: { mcp: SERVERS } }],
  ["vscode", ".devcontainer/devcontainer.json", { customizations: { vscode: { mcp: SERVERS } } }],
  ["vscode", ".devcontainer.json", { customizations: { vscode: { mcp: SERVERS } } }],
  ["vscode", ".devcontainer/web/devcontainer.json", { customizations: { vscode: { mcp: SERVERS } } }],
  ["zencoder", ".vscode/settings.json", { "zencoder.mcpServers": ONE }],
  ["visual-studio", ".vs/mcp.json", SERVERS],
  ["visual-studio", ".mcp.json", SERVERS],
  ["copilot-cli", ".mcp.json", MAP],
  ["copilot-cli", ".github/mcp.json", MAP],
])("in a project %s reads %s on every platform", async (id, name, value) => {
  expect(await find(id, `/repo/${name}`, value, { platform: "linux" })).toEqual(project(`/repo/${name}`));
  expect(await find(id, `/repo/${name}`, value, { platform: "darwin" })).toEqual(project(`/repo/${name}`));
  const windows = `C:\\work\\${name.replaceAll("/", "\\")}`;
  expect(await find(id, windows, value, { platform: "win32" })).toEqual(project(windows));
});

test.each([
  ["opencode", "linux", "/etc/opencode/opencode.json", OPENCODE],
  ["opencode", "darwin", "/Library/Application Support/opencode/opencode.jsonc", OPENCODE],
  ["opencode", "win32", "C:\\ProgramData\\opencode\\opencode.json", OPENCODE],
  ["kilo-code", "linux", "/etc/kilo/kilo.json", OPENCODE],
  ["crush", "linux", "/etc/crush/crush.json", CRUSH],
  ["crush", "darwin", "/etc/crush/crush.json", CRUSH],
  ["gemini", "linux", "/etc/gemini-cli/settings.json", MAP],
  ["gemini", "darwin", "/Library/Application Support/GeminiCli/settings.json", MAP],
  ["gemini", "win32", "C:\\ProgramData\\gemini-cli\\settings.json", MAP],
  ["qwen-code", "linux", "/etc/qwen-code/settings.json", MAP],
  ["qwen-code", "darwin", "/Library/Application Support/QwenCode/settings.json", MAP],
  ["qwen-code", "win32", "C:\\ProgramData\\qwen-code\\settings.json", MAP],
] as const)("%s on %s reads the managed %s", async (id, platform, path, value) => {
  expect(await find(id, path, value, { platform })).toEqual(managed(path));
});

test.each([
  ["omp", "PI_CODING_AGENT_DIR", "/mine", "/mine/mcp.json", MAP],
  ["xcsh", "PI_CODING_AGENT_DIR", "/mine", "/mine/.mcp.json", MAP],
  ["omp", "PI_CONFIG_DIR", ".mine", "/home/me/.mine/agent/mcp.json", MAP],
  ["omp", "OMP_PROFILE", "work", "/home/me/.omp/profiles/work/agent/mcp.json", MAP],
  ["omp", "PI_PROFILE", "work", "/home/me/.omp/profiles/work/agent/mcp.json", MAP],
  ["opencode", "OPENCODE_CONFIG", "/mine/any.json", "/mine/any.json", OPENCODE],
  ["opencode", "OPENCODE_CONFIG", "sub/any.json", "/repo/sub/any.json", OPENCODE],
  ["opencode", "OPENCODE_CONFIG_DIR", "/mine", "/mine/opencode.jsonc", OPENCODE],
  ["opencode", "XDG_CONFIG_HOME", "/xdg", "/xdg/opencode/opencode.json", OPENCODE],
  ["crush", "CRUSH_GLOBAL_CONFIG", "/mine", "/mine/crushrc", CRUSHRC],
  ["crush", "CRUSH_GLOBAL_DATA", "/mine", "/mine/crush.json", CRUSH],
  ["crush", "XDG_DATA_HOME", "/xdg", "/xdg/crush/crush.json", CRUSH],
  ["gemini", "GEMINI_CLI_HOME", "/mine", "/mine/.gemini/settings.json", MAP],
  ["qwen-code", "QWEN_HOME", "/mine", "/mine/settings.json", MAP],
  ["goose", "GOOSE_PATH_ROOT", "/mine", "/mine/config/config.yaml", GOOSE],
  ["copilot-cli", "COPILOT_HOME", "/mine", "/mine/mcp-config.json", MAP],
])("%s supports %s=%s", async (id, variable, value, path, content) => {
  expect(await find(id, path, content, { variables: { [variable]: value } })).toEqual(user(path));
});

test.each([
  ["gemini", "GEMINI_CLI_SYSTEM_SETTINGS_PATH"],
  ["qwen-code", "QWEN_CODE_SYSTEM_SETTINGS_PATH"],
])("%s reads its system settings from %s", async (id, variable) => {
  const machine = { variables: { [variable]: "/mine/system.json" } };
  expect(await find(id, "/mine/system.json", MAP, machine)).toEqual(managed("/mine/system.json"));
});

test.each([
  ["gemini", "/etc/gemini-cli/system-defaults.json", {}],
  ["qwen-code", "/etc/qwen-code/system-defaults.json", {}],
  ["gemini", "/mine/defaults.json", { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: "/mine/defaults.json" }],
])("%s reads the system defaults %s, which users can override", async (id, path, variables) => {
  expect(await find(id, path, MAP, { variables })).toEqual([`one in ${path}, managed of tier user`]);
});

test.each([
  ["codex-toolloop", "/codex-toolloop.mcp.json", TOOLLOOP],
  ["opencode", "/repo/opencode.json", OPENCODE],
  ["crush", "/repo/crush.json", CRUSH],
  ["vscode", "/repo/.vscode/mcp.json", SERVERS],
  ["copilot-cli", "/repo/.mcp.json", MAP],
  ["omp", "/repo/.omp/mcp.json", MAP],
  ["xcsh", "/repo/.xcsh/mcp.json", MAP],
  ["pisces", "/repo/.pisces/mcp.json", MAP],
])("%s finds %s from a subfolder", async (id, path, value) => {
  const provider = PROVIDERS.find((candidate) => candidate.id === id);
  const files = { [path]: value, "/repo/.git/HEAD": "" };
  const reading = provider && (await readOn(provider, { cwd: "/repo/sub/deep", files }));
  expect(reading?.entries.map(({ source }) => source.file)).toEqual([path]);
});

test.each([
  ["gemini", "/repo/.gemini/settings.json", MAP],
  ["qwen-code", "/repo/.mcp.json", MAP],
])("%s does not search parent folders for %s", async (id, path, value) => {
  const provider = PROVIDERS.find((candidate) => candidate.id === id);
  const files = { [path]: value, "/repo/.git/HEAD": "" };
  const reading = provider && (await readOn(provider, { cwd: "/repo/sub", files }));
  expect(reading?.entries).toEqual([]);
});
