import { type JsonObject, NO_EXPANSION } from "../../model/index.ts";
import { ownMember } from "../map-fields.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { projectFile, userFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

/** Trae: the project's file, then the user files of the app. */
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

/** Trae cannot start a command that contains spaces, such as a whole command line. */
function mapEntry(entry: JsonObject): MappedEntry {
  const verdict = new Verdict();
  const command = ownMember(entry, "command");
  if (typeof command === "string" && /\s/.test(command)) verdict.refuse("invalid-command-path");
  return mapPlainEntry(entry, { url: "http" }, verdict);
}
