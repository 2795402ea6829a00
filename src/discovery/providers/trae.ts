import { type JsonObject, NO_EXPANSION } from "../../model/index.ts";
import { own } from "../map-fields.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { projectFile, userFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

/** Trae: the project's file, then those that the app itself keeps for the user. */
export const trae: DiscoveryProvider = {
  id: "trae",
  label: "Trae",
  priority: 40,
  files: (where) => [
    projectFile(where, ".trae", "mcp.json"),
    {
      ...userFile(...["Trae", "Trae CN"].map((app) => where.join(where.appData, app, "User", "mcp.json"))),
      all: true,
    },
  ],
  read: (documents) =>
    readServerMaps(documents, { keys: [["mcpServers"]], expansion: NO_EXPANSION, map: mapEntry }),
};

/** A command with spaces in it, such as a whole line, does not start. */
function mapEntry(entry: JsonObject): MappedEntry {
  const verdict = new Verdict();
  const command = own(entry, "command");
  if (typeof command === "string" && /\s/.test(command)) verdict.refuse("invalid-command-path");
  return mapPlainEntry(entry, { url: "http" }, verdict);
}
