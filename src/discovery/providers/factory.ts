import type { ExpansionRules, JsonObject } from "../../model/index.ts";
import { ownMember } from "../map-fields.ts";
import { readStrictMaps } from "../owner-problems.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry } from "../provider.ts";
import { projectFile, userFile } from "../source-files.ts";

/** Factory droid does not start a server with an unset variable. Plugboard keeps the placeholder and reports it. */
const EXPANSION: ExpansionRules = { syntaxes: ["braced", "default"], unset: "literal" };

const RULES: EntryRules = {
  url: "needs-type",
  types: { stdio: "stdio", http: "http", sse: "sse" },
  names: { timeoutMs: "timeout", oauth: "oauth", enabledTools: "allowTools", disabledTools: "denyTools" },
  disabled: true,
  strict: true,
};

/**
 * Factory droid: the files of all project folders, nearest first, then the user's file. Its documentation says the
 * reverse.
 */
export const factory: DiscoveryProvider = {
  id: "factory",
  label: "Factory droid",
  priority: 40,
  files: (where) => [
    { ...projectFile(where, ".factory", "mcp.json"), all: true },
    userFile(where.join(where.home, ".factory", "mcp.json")),
  ],
  read: (documents) =>
    readStrictMaps(documents, "Factory droid", {
      keys: [["mcpServers"]],
      expansion: EXPANSION,
      map: mapEntry,
    }),
};

/** If an entry has an allow list, its deny list is ignored. */
function mapEntry(entry: JsonObject): MappedEntry {
  const { disabledTools: _, ...names } = RULES.names ?? {};
  return ownMember(entry, "enabledTools") === undefined
    ? mapPlainEntry(entry, RULES)
    : mapPlainEntry(entry, { ...RULES, names });
}
