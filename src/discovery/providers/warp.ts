import { NO_EXPANSION } from "../../model/index.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { projectFile, userFile } from "../source-files.ts";

const RULES: EntryRules = { url: "http-sse", names: { cwd: "cwd", working_directory: "cwd" } };

/** Warp: the project's file, then the user's. Servers are enabled in Warp's UI. */
export const warp: DiscoveryProvider = {
  id: "warp",
  label: "Warp",
  priority: 40,
  files: (where) => [
    projectFile(where, ".warp", ".mcp.json"),
    userFile(where.join(where.home, ".warp", ".mcp.json")),
  ],
  read: (documents) =>
    readServerMaps(documents, {
      keys: [["mcpServers"], ["mcp_servers"], ["servers"]],
      expansion: NO_EXPANSION,
      map: (entry) => mapPlainEntry(entry, RULES),
    }),
};
