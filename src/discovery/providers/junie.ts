import { type JsonObject, NO_EXPANSION } from "../../model/index.ts";
import { ownMember } from "../map-fields.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { projectFile, userFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

/** Junie, as a plugin or CLI: the project's file, then the user's. It supports neither types nor switches. */
export const junie: DiscoveryProvider = {
  id: "junie",
  label: "Junie",
  priority: 40,
  files: (where) => [
    projectFile(where, ".junie", "mcp", "mcp.json"),
    userFile(where.join(where.home, ".junie", "mcp", "mcp.json")),
  ],
  read: (documents) =>
    readServerMaps(documents, { keys: [["mcpServers"]], expansion: NO_EXPANSION, map: mapEntry }),
};

function mapEntry(entry: JsonObject): MappedEntry {
  const verdict = new Verdict();
  if (["type", "disabled", "enabled"].some((key) => ownMember(entry, key) !== undefined)) {
    verdict.note("unsupported-field");
  }
  return mapPlainEntry(entry, { url: "http" }, verdict);
}
