import { expect, test } from "vitest";
import type { DiscoveryProvider } from "../../src/discovery/provider.ts";
import { PROVIDERS } from "../../src/discovery/providers/index.ts";
import { readOn } from "../support/machine.ts";

const ONE = { one: { command: "server" } };
const MAP = { mcpServers: ONE };
const EXTENSION = {
  manifest_version: "0.3",
  name: "one",
  server: { type: "node", mcp_config: { command: "node" } },
};

function provider(id: string): DiscoveryProvider {
  const found = PROVIDERS.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`there is no provider ${id}`);
  return found;
}

async function filesOf(
  id: string,
  platform: "darwin" | "win32",
  path: string,
  value: unknown,
  variables: Record<string, string> = {},
): Promise<string[]> {
  const { entries } = await readOn(provider(id), { platform, variables, files: { [path]: value } });
  return entries.map(({ name, source }) => `${name} in ${source.file}`);
}

const SUPPORT = "/Users/me/Library/Application Support";

test.each([
  ["claude-desktop", `${SUPPORT}/Claude/claude_desktop_config.json`, MAP],
  ["claude-desktop", `${SUPPORT}/Claude/Claude Extensions/acme.one/manifest.json`, EXTENSION],
  ["windsurf", "/Users/me/.codeium/windsurf/mcp_config.json", MAP],
  ["devin", "/Users/me/.config/devin/mcp_config.json", MAP],
  ["cline", "/Users/me/.cline/data/settings/cline_mcp_settings.json", MAP],
  [
    "cline",
    `${SUPPORT}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
    MAP,
  ],
  ["cline", "/Users/me/Documents/Cline/MCP/cline_mcp_settings.json", MAP],
  [
    "roo-code",
    `${SUPPORT}/Code - Insiders/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
    MAP,
  ],
  ["continue", "/Users/me/.continue/mcpServers/all.json", MAP],
  ["zed", "/Users/me/.config/zed/settings.json", { context_servers: ONE }],
  ["amazon-q", "/Users/me/.aws/amazonq/mcp.json", MAP],
  ["amazon-q", "/Users/me/.aws/amazonq/cli-agents/mine.json", MAP],
  ["kiro", "/Users/me/.kiro/settings/mcp.json", MAP],
  ["junie", "/Users/me/.junie/mcp/mcp.json", MAP],
  ["amp", "/Users/me/.config/amp/settings.json", { "amp.mcpServers": ONE }],
  ["amp", `${SUPPORT}/Code/User/settings.json`, { "amp.mcpServers": ONE }],
  ["amp", "/Library/Application Support/ampcode/managed-settings.json", { "amp.mcpServers": ONE }],
  ["zencoder", `${SUPPORT}/Code/User/settings.json`, { "zencoder.mcpServers": ONE }],
  ["warp", "/Users/me/.warp/.mcp.json", MAP],
  ["lm-studio", "/Users/me/.lmstudio/mcp.json", MAP],
  ["lm-studio", "/Users/me/.cache/lm-studio/mcp.json", MAP],
  ["factory", "/Users/me/.factory/mcp.json", MAP],
  ["trae", `${SUPPORT}/Trae/User/mcp.json`, MAP],
  ["trae", `${SUPPORT}/Trae CN/User/mcp.json`, MAP],
  ["auggie", "/Users/me/.augment/settings.json", MAP],
  ["mcporter", "/Users/me/.mcporter/mcporter.jsonc", MAP],
  ["mcp-inspector", "/Users/me/.mcp-inspector/mcp.json", MAP],
  ["boltai", "/Users/me/.boltai/mcp.json", MAP],
  ["plugboard", "/Users/me/.plugboard/mcp.json", MAP],
  ["plugboard", "/repo/.plugboard/mcp.json", MAP],
  ["librechat", "/repo/librechat.yaml", "mcpServers:\n  one: { command: server }\n"],
  ["mcpb", "/repo/manifest.json", EXTENSION],
])("on macOS %s reads %s", async (id, path, value) => {
  expect(await filesOf(id, "darwin", path, value)).toEqual([`one in ${path}`]);
});

const ROAMING = "C:\\Users\\me\\AppData\\Roaming";

test.each([
  ["claude-desktop", `${ROAMING}\\Claude\\claude_desktop_config.json`, MAP],
  ["claude-desktop", `${ROAMING}\\Claude\\Claude Extensions\\acme.one\\manifest.json`, EXTENSION],
  [
    "claude-desktop",
    "C:\\Users\\me\\AppData\\Local\\Packages\\Claude_x1\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json",
    MAP,
  ],
  ["windsurf", "C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json", MAP],
  ["devin", `${ROAMING}\\devin\\mcp_config.json`, MAP],
  ["cline", "C:\\Users\\me\\.cline\\data\\settings\\cline_mcp_settings.json", MAP],
  [
    "roo-code",
    `${ROAMING}\\Code\\User\\globalStorage\\rooveterinaryinc.roo-cline\\settings\\mcp_settings.json`,
    MAP,
  ],
  ["continue", "C:\\Users\\me\\.continue\\mcpServers\\all.json", MAP],
  ["zed", `${ROAMING}\\Zed\\settings.json`, { context_servers: ONE }],
  ["amazon-q", "C:\\Users\\me\\.aws\\amazonq\\mcp.json", MAP],
  ["kiro", "C:\\Users\\me\\.kiro\\settings\\mcp.json", MAP],
  ["junie", "C:\\Users\\me\\.junie\\mcp\\mcp.json", MAP],
  ["amp", "C:\\Users\\me\\.config\\amp\\settings.jsonc", { "amp.mcpServers": ONE }],
  ["amp", `${ROAMING}\\Code\\User\\settings.json`, { "amp.mcpServers": ONE }],
  ["amp", "C:\\ProgramData\\ampcode\\managed-settings.json", { "amp.mcpServers": ONE }],
  ["warp", "C:\\Users\\me\\.warp\\.mcp.json", MAP],
  ["lm-studio", "C:\\Users\\me\\.lmstudio\\mcp.json", MAP],
  ["factory", "C:\\Users\\me\\.factory\\mcp.json", MAP],
  ["trae", `${ROAMING}\\Trae\\User\\mcp.json`, MAP],
  ["auggie", "C:\\work\\.augment\\settings.json", MAP],
  ["mcporter", "C:\\work\\config\\mcporter.json", MAP],
  ["mcp-inspector", "C:\\Users\\me\\.mcp-inspector\\mcp.json", MAP],
])("on Windows %s reads %s", async (id, path, value) => {
  expect(await filesOf(id, "win32", path, value)).toEqual([`one in ${path}`]);
});

test.each([
  ["cline", "CLINE_MCP_SETTINGS_PATH", "D:\\mine\\servers.json", "D:\\mine\\servers.json"],
  ["cline", "CLINE_DATA_DIR", "D:\\data", "D:\\data\\settings\\cline_mcp_settings.json"],
  ["cline", "CLINE_DIR", "D:\\cline", "D:\\cline\\data\\settings\\cline_mcp_settings.json"],
  ["mcp-inspector", "MCP_CATALOG_PATH", "D:\\catalog.json", "D:\\catalog.json"],
  ["mcporter", "MCPORTER_CONFIG", "sub\\mcporter.json", "C:\\work\\sub\\mcporter.json"],
  ["devin", "APPDATA", "D:\\Roaming", "D:\\Roaming\\devin\\mcp_config.json"],
])("on Windows %s supports %s=%s", async (id, variable, value, path) => {
  expect(await filesOf(id, "win32", path, MAP, { [variable]: value })).toEqual([`one in ${path}`]);
});
