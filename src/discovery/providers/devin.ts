import { NO_EXPANSION } from "../../model/index.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, SourceFile } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { projectFile, userFile } from "../source-files.ts";

const RULES: EntryRules = {
  url: "http-sse",
  typeField: "transport",
  types: { stdio: "stdio", http: "http", sse: "sse" },
  disabled: true,
};

/** Devin: local, then project, then user files. Before v3000.3, its CLI kept servers in `config.json`. */
export const devin: DiscoveryProvider = {
  id: "devin",
  label: "Devin",
  priority: 40,
  files(where) {
    const local = (name: string): SourceFile => ({ ...projectFile(where, ".devin", name), scope: "local" });
    const user = (name: string): SourceFile => userFile(where.join(where.configHome, "devin", name));
    return [
      local("mcp_config.local.json"),
      local("config.local.json"),
      projectFile(where, ".devin", "mcp_config.json"),
      projectFile(where, ".devin", "config.json"),
      user("mcp_config.json"),
      user("config.json"),
    ];
  },
  read: (documents) =>
    readServerMaps(documents, {
      keys: [["mcpServers"]],
      expansion: NO_EXPANSION,
      map: (entry) => mapPlainEntry(entry, RULES),
    }),
};
