import { memberAt } from "../../documents/index.ts";
import { type ExpansionRules, isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import { hasString, ownMember, stringIn, type TransportFacts } from "../map-fields.ts";
import { complain } from "../owner-problems.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type {
  DiscoveryProvider,
  MappedEntry,
  ProviderReading,
  SourceDocument,
  SourceFile,
} from "../provider.ts";
import { joinReadings, readServerList, readServerMap } from "../read-server-map.ts";
import { nameOf, projectFile, userFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

/** `${{ secrets.X }}` is resolved by Continue's own secret stores. */
const EXPANSION: ExpansionRules = { syntaxes: ["foreign"], unset: "literal" };
/** In an imported JSON file, `${X}` in env values refers to a secret of that name. */
const JSON_EXPANSION: ExpansionRules = { syntaxes: ["braced", "foreign"], fields: ["env"], unset: "literal" };

const YAML_TYPES: Readonly<Record<string, TransportFacts["kind"]>> = {
  stdio: "stdio",
  sse: "sse",
  "streamable-http": "http",
};

/**
 * Continue: a list in `config.yaml`, YAML blocks, and JSON files that contain another tool's config or a single
 * server.
 */
export const continueDev: DiscoveryProvider = {
  id: "continue",
  label: "Continue",
  priority: 40,
  files(where) {
    const folder = where.join(where.home, ".continue");
    const blocks = ["*.yaml", "*.yml", "*.json"];
    const role = (file: SourceFile, name: string): SourceFile => ({ ...file, role: name, all: true });
    return [
      ...blocks.map((name) => role(projectFile(where, ".continue", "mcpServers", name), "block")),
      // The old file is used only if the new one does not exist.
      {
        ...userFile(where.join(folder, "config.yaml"), where.join(folder, "config.json")),
        role: "config",
      },
      ...blocks.map((name) => role(userFile(where.join(folder, "mcpServers", name)), "block")),
    ];
  },
  read: (documents) => joinReadings(documents.map(readDocument)),
};

function readDocument(source: SourceDocument): ProviderReading {
  if (source.file.endsWith(".json")) {
    return source.role === "config" ? readOldConfig(source) : readImport(source);
  }
  const reading = readServerList(source, { path: ["mcpServers"], expansion: EXPANSION, map: mapListed });
  const missing = ["name", "version", "schema"].filter((key) => !isGiven(source.value, key));
  if (source.role !== "block" || missing.length === 0) return reading;
  const message = `has no ${missing.map((key) => `"${key}"`).join(", ")}: Continue would reject this file`;
  return complain(reading, { source, path: [], code: "owner-refuses", message, severity: "warning" });
}

function isGiven(value: JsonValue, key: string): boolean {
  return isJsonObject(value) && ownMember(value, key) !== undefined;
}

/** Maps a server, or a reference to a block on Continue's hub, which has a name only there. */
function mapListed(item: JsonObject): MappedEntry | undefined {
  if (hasString(item, "uses")) {
    const verdict = new Verdict();
    verdict.note("remote-block-reference");
    const name = memberAt(item, ["override", "name"]);
    return {
      name: typeof name === "string" && name !== "" ? name : "block",
      fields: item,
      owner: verdict.result(),
    };
  }
  const { name, ...entry } = item;
  return typeof name === "string" && name !== "" ? { ...mapEntry(entry, YAML_TYPES), name } : undefined;
}

function mapEntry(entry: JsonObject, types: Readonly<Record<string, TransportFacts["kind"]>>): MappedEntry {
  const { requestOptions, apiKey, ...rest } = entry;
  const { headers, ...options } = isJsonObject(requestOptions) ? requestOptions : {};
  const mapped = mapPlainEntry(rest, {
    url: "http-sse",
    types,
    names: { connectionTimeout: "startupTimeout" },
    strict: true,
  });
  const all: JsonObject = {
    ...headersIn(ownMember(mapped.fields, "headers")),
    ...(typeof apiKey === "string" && { Authorization: `Bearer ${apiKey}` }),
    ...headersIn(headers),
  };
  return {
    ...mapped,
    fields: {
      ...mapped.fields,
      ...(Object.keys(all).length > 0 && { headers: all }),
      ...(Object.keys(options).length > 0 && { requestOptions: options }),
    },
  };
}

function headersIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Reads a config file of Claude Code or Claude Desktop, or a single server named after its file. */
function readImport(source: SourceDocument): ProviderReading {
  const { value } = source;
  if (memberAt(value, ["mcpServers"]) === undefined && memberAt(value, ["projects"]) === undefined) {
    if (!isJsonObject(value)) return readServerMap(source, IMPORT);
    const name = nameOf(source.file).replace(/\.json$/, "");
    return { entries: [{ name, source, path: [], expansion: JSON_EXPANSION, ...mapImported(value) }] };
  }
  const projects = memberAt(value, ["projects"]);
  const paths = isJsonObject(projects) ? Object.keys(projects) : [];
  const keys = [["mcpServers"], ...paths.map((path) => ["projects", path, "mcpServers"])];
  return joinReadings(keys.map((key) => readServerMap(source, { ...IMPORT, keys: [key] })));
}

const IMPORT: Parameters<typeof readServerMap>[1] = {
  keys: [["mcpServers"]],
  expansion: JSON_EXPANSION,
  map: (entry) => mapImported(entry),
};

/** Continue maps `http` to HTTP and `stdio` to stdio. All other types become SSE. */
function mapImported(entry: JsonObject): MappedEntry {
  const { envFile, ...rest } = entry;
  const type = stringIn(entry, "type");
  const kind = type === "stdio" || type === "http" ? type : "sse";
  const mapped = mapEntry(rest, { [type]: kind });
  if (envFile === undefined || mapped.owner === undefined) return mapped;
  return { ...mapped, owner: { ...mapped.owner, problems: [...mapped.owner.problems, "unsupported-field"] } };
}

/** Reads the old `config.json`: a list of connections without names. */
function readOldConfig(source: SourceDocument): ProviderReading {
  return readServerList(source, {
    path: ["experimental", "modelContextProtocolServers"],
    expansion: EXPANSION,
    map: (item, index) => {
      const { transport, name, ...rest } = item;
      const entry = { ...rest, ...(isJsonObject(transport) && transport) };
      const types = { ...YAML_TYPES, websocket: "ws" } as const;
      return { ...mapEntry(entry, types), name: typeof name === "string" ? name : `mcp-${index + 1}` };
    },
  });
}
