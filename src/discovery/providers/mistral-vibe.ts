import { isJsonObject, itemsOf, type JsonObject, type JsonValue, NO_EXPANSION } from "../../model/index.ts";
import { ownMember, pickFields, splitCommand, stringIn } from "../map-fields.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry } from "../provider.ts";
import { joinReadings, readServerList } from "../read-server-map.ts";
import { pathFromVariable, projectFile, userFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

const RULES: EntryRules = {
  url: "unknown",
  typeField: "transport",
  types: { stdio: "stdio", http: "http", "streamable-http": "http" },
  names: {
    startup_timeout_sec: "startupTimeout",
    tool_timeout_sec: "timeout",
    disabled_tools: "denyTools",
  },
  seconds: ["startupTimeout", "timeout"],
  disabled: true,
  strict: true,
};

const STATIC = ["api_key_env", "api_key_header", "api_key_format"];

/** Mistral Vibe: a list of `[[mcp_servers]]` tables with names. Timeouts are in seconds. */
export const mistralVibe: DiscoveryProvider = {
  id: "mistral-vibe",
  label: "Mistral Vibe",
  priority: 40,
  files(where) {
    const folder = pathFromVariable(where, "VIBE_HOME") ?? where.join(where.home, ".vibe");
    return [projectFile(where, ".vibe", "config.toml"), userFile(where.join(folder, "config.toml"))];
  },
  read: (documents) =>
    joinReadings(
      documents.map((source) =>
        readServerList(source, { path: ["mcp_servers"], expansion: NO_EXPANSION, map: mapEntry }),
      ),
    ),
};

function mapEntry(table: JsonObject): MappedEntry | undefined {
  const name = ownMember(table, "name");
  if (typeof name !== "string" || name === "") return undefined;
  const { name: _, auth, ...entry } = table;
  const verdict = new Verdict();
  if (ownMember(entry, "transport") === undefined) verdict.refuse("missing-type");
  const keys = isJsonObject(auth) && ownMember(auth, "type") !== "oauth" ? { ...entry, ...auth } : entry;
  const { type: __, ...flat } = keys;
  const mapped = mapPlainEntry(withSplitCommand(flat), RULES, verdict);
  const token = tokenOf(flat);
  const fields = Object.entries(mapped.fields).filter(([key]) => !(token && STATIC.includes(key)));
  return {
    ...mapped,
    name,
    fields: { ...Object.fromEntries(fields), ...token, ...signIn(auth) },
  };
}

/** The command is a list, or a line that is split as in a shell. */
function withSplitCommand(entry: JsonObject): JsonObject {
  if (ownMember(entry, "command") === undefined) return entry;
  const { command, args = [] } = splitCommand(ownMember(entry, "command"));
  const more = ownMember(entry, "args");
  return {
    ...entry,
    ...(command !== undefined && { command }),
    ...(args.length > 0 && {
      args: [...args, ...itemsOf(more)],
    }),
  };
}

/** Returns the field for an API key from the environment: a bearer token or a header. Other formats stay unchanged. */
function tokenOf(entry: JsonObject): JsonObject | undefined {
  const variable = stringIn(entry, "api_key_env");
  if (variable === "") return undefined;
  const header = stringIn(entry, "api_key_header") || "Authorization";
  const format = stringIn(entry, "api_key_format") || "Bearer {token}";
  if (format === "{token}") return { envHeaders: { [header]: variable } };
  const isBearer = format === "Bearer {token}" && header.toLowerCase() === "authorization";
  return isBearer ? { bearerTokenEnv: variable } : undefined;
}

function signIn(auth: JsonValue | undefined): JsonObject {
  if (!isJsonObject(auth) || ownMember(auth, "type") !== "oauth") return {};
  const client = pickFields(auth, {
    client_id: "clientId",
    client_metadata_url: "clientMetadataUrl",
    redirect_port: "callbackPort",
  });
  return {
    oauth: Object.keys(client).length > 0 ? client : true,
    ...pickFields(auth, { scopes: "oauthScopes" }),
  };
}
