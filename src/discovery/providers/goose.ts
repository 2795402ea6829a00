import { type ExpansionRules, isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import {
  checkStringList,
  fromSeconds,
  hasString,
  keepFields,
  noteTimeout,
  ownMember,
  stringsIn,
  type TransportFacts,
} from "../map-fields.ts";
import { complain } from "../owner-problems.ts";
import type { DiscoveryProvider, MappedEntry, ProviderReading, SourceDocument, Where } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { pathFromVariable, projectFile, userFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

/** Goose: `extensions` in the user's YAML file. Support for a project file is unconfirmed, so it is reported. */
export const goose: DiscoveryProvider = {
  id: "goose",
  label: "Goose",
  priority: 40,
  files: (where) => [projectFile(where, ".goose", "config.yaml"), userFile(userPath(where))],
  read: (documents) => joinReadings(documents.map(readFile)),
};

function userPath(where: Where): string {
  const { platform, configHome, join } = where;
  const root = pathFromVariable(where, "GOOSE_PATH_ROOT");
  if (root !== undefined) return join(root, "config", "config.yaml");
  return platform === "win32"
    ? join(configHome, "Block", "goose", "config", "config.yaml")
    : join(configHome, "goose", "config.yaml");
}

function readFile(source: SourceDocument): ProviderReading {
  const reading = readServerMap(source, {
    keys: [["extensions"]],
    expansion: EXPANSION,
    map: mapEntry,
  });
  if (source.tier !== "project" || reading.entries.length === 0) return reading;
  const message = "is read by Plugboard, but Goose may read only its user file";
  return complain(reading, { source, path: [], code: "owner-refuses", message, severity: "warning" });
}

/** Goose expands only URLs and headers. */
const EXPANSION: ExpansionRules = {
  syntaxes: ["braced", "bare"],
  fields: ["url", "headers"],
  unset: "literal",
};

const NAMES = {
  cmd: "command",
  args: "args",
  envs: "env",
  env_keys: "inheritEnv",
  uri: "url",
  headers: "headers",
  enabled: "enabled",
};

/** Extension types that are not servers: parts of Goose or its UI, and scripts inside the config file. */
const NOT_SERVERS: ReadonlySet<JsonValue | undefined> = new Set([
  "builtin",
  "platform",
  "frontend",
  "inline_python",
]);

function mapEntry(entry: JsonObject): MappedEntry | undefined {
  const type = ownMember(entry, "type");
  if (NOT_SERVERS.has(type)) return undefined;
  const verdict = new Verdict();
  const transport = transportOf(entry, type, verdict);
  if (typeof ownMember(entry, "enabled") !== "boolean") verdict.refuse("missing-required-field");
  checkStringList(entry, "args", verdict);
  noteTimeout(ownMember(entry, "timeout"), "seconds", verdict);
  const timeout = fromSeconds(ownMember(entry, "timeout"));
  const tools = stringsIn(ownMember(entry, "available_tools"));
  const kind = transport?.kind ?? type;
  return {
    fields: {
      ...(kind !== undefined && { type: kind }),
      ...keepFields(entry, NAMES, ["available_tools", "name"]),
      ...(timeout !== undefined && { timeout }),
      // An empty list means all tools.
      ...(tools.length > 0 && { allowTools: tools }),
    },
    ...(transport && { transport }),
    owner: verdict.result(),
    expansion: { ...EXPANSION, names: textMembers(ownMember(entry, "envs")), hidesNames: true },
  };
}

function transportOf(
  entry: JsonObject,
  type: JsonValue | undefined,
  verdict: Verdict,
): TransportFacts | undefined {
  switch (type) {
    case "stdio":
      if (!hasString(entry, "cmd")) verdict.refuse("missing-command");
      return { kind: "stdio", reason: `"type": "stdio"` };
    case "streamable_http":
      if (!hasString(entry, "uri")) verdict.refuse("missing-url");
      return { kind: "http", reason: `"type": "streamable_http"` };
    case "sse":
      // Goose still parses this type but does not connect.
      verdict.refuse("unsupported-transport");
      return { kind: "sse", reason: `"type": "sse"` };
    default:
      verdict.refuse(type === undefined ? "missing-type" : "unknown-type");
      return undefined;
  }
}

function textMembers(value: JsonValue | undefined): Record<string, string> {
  const texts: Record<string, string> = Object.create(null);
  if (!isJsonObject(value)) return texts;
  for (const [key, text] of Object.entries(value)) if (typeof text === "string") texts[key] = text;
  return texts;
}
