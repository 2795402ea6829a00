import { NO_EXPANSION } from "../../model/index.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { projectFile, userFile } from "../source-files.ts";

const RULES: EntryRules = {
  url: "unknown",
  types: { stdio: "stdio", http: "http", sse: "sse" },
  disabled: true,
};

/** Auggie: the project's settings, then the user's. Its handling of a url without a type is not documented. */
export const auggie: DiscoveryProvider = {
  id: "auggie",
  label: "Auggie",
  priority: 40,
  files: (where) => [
    projectFile(where, ".augment", "settings.json"),
    userFile(where.join(where.home, ".augment", "settings.json")),
  ],
  read: (documents) =>
    readServerMaps(documents, {
      keys: [["mcpServers"]],
      expansion: NO_EXPANSION,
      map: (entry) => mapPlainEntry(entry, RULES),
    }),
};
