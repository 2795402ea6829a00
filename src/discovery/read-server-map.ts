import { memberAt } from "../documents/index.ts";
import { type ExpansionRules, isJsonObject, isList, type JsonObject } from "../model/index.ts";
import { takeServers } from "./limits.ts";
import type { Complaint, MappedEntry, ProviderReading, RawEntry, SourceDocument } from "./provider.ts";

export interface ServerMapOptions {
  /** Candidate paths of the servers, such as `["mcp", "servers"]`. The first that exists is used. */
  readonly keys: readonly (readonly string[])[];
  readonly expansion: ExpansionRules;
  map(entry: JsonObject, name: string, source: SourceDocument): MappedEntry | undefined;
}

/** Reads an object that maps names to servers. Invalid entries become problems and do not affect others. */
export function readServerMap(
  source: SourceDocument,
  { keys, expansion, map }: ServerMapOptions,
): ProviderReading {
  const names = keys.map((key) => `"${key.join(".")}"`).join(" or ");
  if (!isJsonObject(source.value)) {
    return onlyProblem({
      source,
      path: [],
      code: "file-shape",
      message: `must contain an object with ${names}`,
    });
  }
  const path = keys.find((candidate) => memberAt(source.value, candidate) !== undefined);
  if (path === undefined) return { entries: [] };
  const servers = memberAt(source.value, path);
  if (!isJsonObject(servers)) {
    const message = `"${path.join(".")}" must be an object that maps names to servers`;
    return onlyProblem({ source, path, code: "file-shape", message });
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
  /** The path of the list. */
  readonly path: readonly string[];
  readonly expansion: ExpansionRules;
  /** Must return a name. An entry without a name becomes a problem. */
  map(entry: JsonObject, index: number, source: SourceDocument): MappedEntry | undefined;
}

/** Reads a list of servers that contain their names. Invalid entries become problems and do not affect others. */
export function readServerList(
  source: SourceDocument,
  { path, expansion, map }: ServerListOptions,
): ProviderReading {
  const list = memberAt(source.value, path);
  if (list === undefined) return { entries: [] };
  if (!isList(list)) {
    return onlyProblem({
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

/** Reads several files of the same kind. */
export function readServerMaps(
  documents: readonly SourceDocument[],
  options: ServerMapOptions,
): ProviderReading {
  return joinReadings(documents.map((source) => readServerMap(source, options)));
}

/** Combines several readings, in order. */
export function joinReadings(readings: readonly ProviderReading[]): ProviderReading {
  return {
    entries: readings.flatMap(({ entries }) => entries),
    complaints: readings.flatMap(({ complaints = [] }) => complaints),
    bundles: readings.flatMap(({ bundles = [] }) => bundles),
  };
}

function onlyProblem(complaint: Complaint): ProviderReading {
  return { entries: [], complaints: [complaint] };
}
