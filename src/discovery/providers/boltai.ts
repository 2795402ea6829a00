import { NO_EXPANSION } from "../../model/index.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { userFile } from "../source-files.ts";

/** BoltAI: one user file with local servers only. */
export const boltai: DiscoveryProvider = {
  id: "boltai",
  label: "BoltAI",
  priority: 40,
  files: ({ home, join }) => [userFile(join(home, ".boltai", "mcp.json"))],
  read: (documents) =>
    readServerMaps(documents, {
      keys: [["mcpServers"]],
      expansion: NO_EXPANSION,
      map: (entry) => mapPlainEntry(entry, { url: "unsupported" }),
    }),
};
