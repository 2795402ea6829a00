import { type JsonObject, NO_EXPANSION } from "../../model/index.ts";
import { ownMember } from "../map-fields.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { projectFile, userFile } from "../source-files.ts";
import { vscodeUserFolders } from "./vscode-folders.ts";

/** Zencoder: the key `zencoder.mcpServers` in VS Code's settings. The workspace's come before the user's. */
export const zencoder: DiscoveryProvider = {
  id: "zencoder",
  label: "Zencoder",
  priority: 40,
  files: (where) => [
    projectFile(where, ".vscode", "settings.json"),
    {
      ...userFile(...vscodeUserFolders(where).map((folder) => where.join(folder, "settings.json"))),
      all: true,
    },
  ],
  read: (documents) =>
    joinReadings(
      documents.map((source) =>
        readServerMap(source, {
          keys: [["zencoder.mcpServers"]],
          expansion: NO_EXPANSION,
          map: mapEntry,
        }),
      ),
    ),
};

/** `auth: "oauth2"` means that the server requires sign-in. */
function mapEntry(entry: JsonObject): MappedEntry {
  const mapped = mapPlainEntry(entry, { url: "http" });
  return ownMember(entry, "auth") === "oauth2"
    ? { ...mapped, fields: { ...mapped.fields, oauth: true } }
    : mapped;
}
