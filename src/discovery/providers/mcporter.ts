import {
  type ExpansionRules,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
} from "../../model/index.ts";
import { ownMember, pickFields, splitCommand } from "../map-fields.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { folderOf, pathFromVariable, projectFile, userFile } from "../source-files.ts";

const EXPANSION: ExpansionRules = { syntaxes: ["braced", "default", "dollarEnv"], unset: "literal" };

const NAMES: Readonly<Record<string, string>> = {
  serverUrl: "url",
  url: "url",
  baseUrl: "url",
  allowed_tools: "allowTools",
  allowedTools: "allowTools",
  blocked_tools: "denyTools",
  blockedTools: "denyTools",
  bearerTokenEnv: "bearerTokenEnv",
};

const OAUTH: Readonly<Record<string, string>> = {
  oauthClientId: "clientId",
  oauthClientSecret: "clientSecret",
  oauthScope: "scope",
  oauthRedirectUrl: "redirectUri",
};

/**
 * mcporter: the project's file, then the user's, or only the file in `MCPORTER_CONFIG`. Imported files belong to
 * other tools.
 */
export const mcporter: DiscoveryProvider = {
  id: "mcporter",
  label: "mcporter",
  priority: 40,
  files(where) {
    const only = pathFromVariable(where, "MCPORTER_CONFIG");
    if (only !== undefined) return [userFile(only)];
    const { home, join } = where;
    const xdg = pathFromVariable(where, "XDG_CONFIG_HOME");
    const folders = [...(xdg === undefined ? [] : [join(xdg, "mcporter")]), join(home, ".mcporter")];
    return [
      projectFile(where, "config", "mcporter.json"),
      userFile(
        ...folders.flatMap((folder) => [join(folder, "mcporter.json"), join(folder, "mcporter.jsonc")]),
      ),
    ];
  },
  read: (documents, where) =>
    joinReadings(
      documents.map((source) =>
        readServerMap(source, {
          keys: [["mcpServers"]],
          // Relative folders are resolved from the config file's folder.
          expansion: { ...EXPANSION, baseFolder: folderOf(where, source.file) },
          map: mapEntry,
        }),
      ),
    ),
};

function mapEntry(entry: JsonObject): MappedEntry {
  const mapped = mapPlainEntry(withSplitCommand(entry), { url: "http-sse", names: NAMES });
  const { bearerToken, ...fields } = mapped.fields;
  const client = pickFields(entry, OAUTH);
  const isOauth = ownMember(entry, "auth") === "oauth" || Object.keys(client).length > 0;
  const rest = Object.fromEntries(Object.entries(fields).filter(([key]) => !Object.hasOwn(OAUTH, key)));
  return {
    ...mapped,
    fields: {
      ...rest,
      ...(typeof bearerToken === "string" && {
        headers: withToken(ownMember(fields, "headers"), bearerToken),
      }),
      ...(isOauth && { oauth: Object.keys(client).length > 0 ? client : true }),
    },
  };
}

/** The command can be a list or, if there are no args, a whole command line. */
function withSplitCommand(entry: JsonObject): JsonObject {
  const args = ownMember(entry, "args");
  const command = ownMember(entry, "command");
  if (command === undefined || (typeof command === "string" && args !== undefined)) return entry;
  const words = splitCommand(command);
  const rest = itemsOf(args);
  const all = [...(words.args ?? []), ...rest];
  return {
    ...entry,
    ...(words.command !== undefined && { command: words.command }),
    ...(all.length > 0 && { args: all }),
  };
}

function withToken(headers: JsonValue | undefined, token: string): JsonValue {
  return { Authorization: `Bearer ${token}`, ...(isJsonObject(headers) && headers) };
}
