import { memberAt } from "../../documents/index.ts";
import { isJsonObject, type JsonObject, type JsonValue, NO_EXPANSION } from "../../model/index.ts";
import { fromSeconds, hasString, ownMember, pickFields } from "../map-fields.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry, SourceDocument } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { projectFile, userFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

/** Zed: the project's settings, then the user's. It infers the transport from the fields. Timeouts are in seconds. */
export const zed: DiscoveryProvider = {
  id: "zed",
  label: "Zed",
  priority: 40,
  files(where) {
    const { platform, configHome, join } = where;
    const folder = join(configHome, platform === "win32" ? "Zed" : "zed");
    return [projectFile(where, ".zed", "settings.json"), userFile(join(folder, "settings.json"))];
  },
  read: (documents) =>
    readServerMaps(documents, {
      keys: [["context_servers"]],
      expansion: NO_EXPANSION,
      map: (entry, _name, source) => mapEntry(entry, timeoutFor(source, documents)),
    }),
};

/** Returns the timeout for all servers from the project's settings or the user's. */
function timeoutFor(source: SourceDocument, documents: readonly SourceDocument[]): JsonValue | undefined {
  return [source, ...documents.filter(({ tier }) => tier === "user")]
    .map(({ value }) => memberAt(value, ["context_server_timeout"]))
    .find((value) => value !== undefined);
}

function mapEntry(entry: JsonObject, timeoutForAll: JsonValue | undefined): MappedEntry {
  const current = migrate(entry);
  if (!hasString(current, "command") && !hasString(current, "url") && isExtension(current)) {
    const verdict = new Verdict();
    verdict.note("extension-managed");
    const fields = { extension: true, ...pickFields(current, { enabled: "enabled", settings: "settings" }) };
    return { fields, owner: verdict.result() };
  }
  const mapped = mapPlainEntry(current, {
    url: "http",
    names: { enabled: "enabled", timeout: "timeout" },
    seconds: ["timeout"],
  });
  const oauth = ownMember(current, "oauth");
  const timeout = ownMember(mapped.fields, "timeout") ?? fromSeconds(timeoutForAll);
  const isOwn = ownMember(mapped.fields, "timeout") !== undefined;
  return {
    ...mapped,
    ...(!isOwn && timeout !== undefined && { timeoutRules: "zed global" }),
    fields: {
      ...mapped.fields,
      ...(timeout !== undefined && { timeout }),
      ...(isJsonObject(oauth) && {
        oauth: pickFields(oauth, { client_id: "clientId", client_secret: "clientSecret" }),
      }),
    },
  };
}

/** Converts the formats of 2025 that Zed migrates itself: an object as the command, and a `source`. */
function migrate(entry: JsonObject): JsonObject {
  const { source, command, ...rest } = entry;
  const isOld = isJsonObject(command);
  return {
    ...rest,
    ...(source === "extension" && { source }),
    ...(isOld && pickFields(command, { path: "command", args: "args", env: "env" })),
    ...(!isOld && command !== undefined && { command }),
  };
}

function isExtension(entry: JsonObject): boolean {
  return ownMember(entry, "settings") !== undefined || ownMember(entry, "source") === "extension";
}
