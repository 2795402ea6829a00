import { NO_EXPANSION } from "../../model/index.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { pathFromVariable, userFile } from "../source-files.ts";

const RULES: EntryRules = {
  url: "http",
  types: { stdio: "stdio", http: "http", "streamable-http": "http", sse: "sse" },
};

/** MCP Inspector: its catalog. `MCP_CATALOG_PATH` overrides the path. */
export const mcpInspector: DiscoveryProvider = {
  id: "mcp-inspector",
  label: "MCP Inspector",
  priority: 40,
  files: (where) => [
    userFile(
      pathFromVariable(where, "MCP_CATALOG_PATH") ?? where.join(where.home, ".mcp-inspector", "mcp.json"),
    ),
  ],
  read: (documents) =>
    readServerMaps(documents, {
      keys: [["mcpServers"]],
      expansion: NO_EXPANSION,
      map: (entry) => mapPlainEntry(entry, RULES),
    }),
};
