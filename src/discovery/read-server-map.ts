import { memberAt } from "../documents/index.ts";
import { type ExpansionRules, isJsonObject, isList, type JsonObject } from "../model/index.ts";
import { takeServers } from "./limits.ts";
import type { Complaint, MappedEntry, ProviderReading, RawEntry, SourceDocument } from "./provider.ts";

export interface ServerMapOptions {
  /** Where the servers are; the first that is there counts. Each is a way from the top: `["mcp", "servers"]`. */
  readonly keys: readonly (readonly string[])[];
  readonly expansion: ExpansionRules;
  map(entry: JsonObject, name: string, source: SourceDocument): MappedEntry | undefined;
}

/** Reads an object of servers by name. What is not an object is a complaint; one bad entry hides no other. */
export function readServerMap(
  source: SourceDocument,
  { keys, expansion, map }: ServerMapOptions,
): ProviderReading {
  const names = keys.map((key) => `"${key.join(".")}"`).join(" or ");
  if (!isJsonObject(source.value)) {
    return nothing({ source, path: [], code: "file-shape", message: `must contain an object with ${names}` });
  }
  const path = keys.find((candidate) => memberAt(source.value, candidate) !== undefined);
  if (path === undefined) return { entries: [] };
  const servers = memberAt(source.value, path);
  if (!isJsonObject(servers)) {
    const message = `"${path.join(".")}" must be an object that maps names to servers`;
    return nothing({ source, path, code: "file-shape", message });
  }
  const entries: RawEntry[] = [];
  const members = Object.entries(servers);
  const { most, complaints } = takeServers(source, members.length);
  for (const [name, entry] of members.slice(0, most)) {
    const at = [...path, name];
    if (!isJsonObject(entry)) {
      complaints.push({
        source,
        path: at,
        code: "entry-shape",
        message: `server "${name}" must be an object`,
      });
      continue;
    }
    const mapped = map(entry, name, source);
    if (mapped !== undefined) entries.push({ name, source, path: at, expansion, ...mapped });
  }
  return { entries, complaints };
}

export interface ServerListOptions {
  /** Where the list is. */
  readonly path: readonly string[];
  readonly expansion: ExpansionRules;
  /** Must find a name; an entry without one is a complaint. */
  map(entry: JsonObject, index: number, source: SourceDocument): MappedEntry | undefined;
}

/** Reads a list of servers that carry their names. One bad entry hides no other. */
export function readServerList(
  source: SourceDocument,
  { path, expansion, map }: ServerListOptions,
): ProviderReading {
  const list = memberAt(source.value, path);
  if (list === undefined) return { entries: [] };
  if (!isList(list)) {
    return nothing({
      source,
      path,
      code: "file-shape",
      message: `"${path.join(".")}" must be a list of servers`,
    });
  }
  const entries: RawEntry[] = [];
  const { most, complaints } = takeServers(source, list.length);
  for (const [index, entry] of list.slice(0, most).entries()) {
    const at = [...path, index];
    const mapped = isJsonObject(entry) ? map(entry, index, source) : undefined;
    if (mapped?.name === undefined) {
      const message = isJsonObject(entry)
        ? `server ${index + 1} has no name`
        : `server ${index + 1} must be an object`;
      complaints.push({ source, path: at, code: "entry-shape", message });
      continue;
    }
    entries.push({ source, path: at, expansion, ...mapped, name: mapped.name });
  }
  return { entries, complaints };
}

/** Reads several files of one kind. */
export function readServerMaps(
  documents: readonly SourceDocument[],
  options: ServerMapOptions,
): ProviderReading {
  return joinReadings(documents.map((source) => readServerMap(source, options)));
}

/** Several readings as one, in order. */
export function joinReadings(readings: readonly ProviderReading[]): ProviderReading {
  return {
    entries: readings.flatMap(({ entries }) => entries),
    complaints: readings.flatMap(({ complaints = [] }) => complaints),
    bundles: readings.flatMap(({ bundles = [] }) => bundles),
  };
}

function nothing(complaint: Complaint): ProviderReading {
  return { entries: [], complaints: [complaint] };
}
