import { isJsonObject, type JsonObject, type JsonValue, type Provenance } from "../model/index.ts";
import { mostServers, tooMany } from "./limits.ts";
import type { Complaint, MappedEntry, RawEntry, SourceDocument } from "./provider.ts";
import { positionOfField, wayTo } from "./spellings.ts";

/** One file's share of a server, for tools that merge their files field by field. */
export interface Layer {
  readonly name: string;
  readonly entry: JsonObject;
  readonly source: SourceDocument;
  readonly path: readonly string[];
}

export interface MergeOptions extends Pick<RawEntry, "expansion"> {
  /** Provider id, for the provenance of single fields. */
  readonly tool: string;
  map(entry: JsonObject, name: string, source: SourceDocument, layers: readonly Layer[]): MappedEntry;
}

/**
 * Servers from layers, weakest first. Where a project's layer has a hand in a server, there are two entries: the whole,
 * which is the project's word, and what the person's own files make of it without the project.
 */
export function mergeLayers(layers: readonly Layer[], options: MergeOptions): RawEntry[] {
  const byName = new Map<string, Layer[]>();
  for (const layer of layers) {
    const known = byName.get(layer.name);
    if (known === undefined) byName.set(layer.name, [layer]);
    else known.push(layer);
  }
  return [...byName.values()].flatMap((mine) => {
    const own = mine.filter(({ source }) => source.tier !== "project");
    const whole = merge(mine, options);
    return own.length === 0 || own.length === mine.length ? whole : [...whole, ...merge(own, options)];
  });
}

function merge(layers: readonly Layer[], options: MergeOptions): RawEntry[] {
  // Whatever a project has a hand in is the project's word, also where a stronger file of the user's adds to it.
  const speaker = layers.findLast(({ source }) => source.tier === "project") ?? layers.at(-1);
  if (speaker === undefined) return [];
  const { map, expansion } = options;
  const { name, source, path } = speaker;
  const merged = layers.map(({ entry }) => entry).reduce(mergeObjects);
  const mapped = map(merged, name, source, layers);
  const entry: RawEntry = { name, source, path, expansion, entry: merged, ...mapped };
  return [layers.length > 1 ? { ...entry, fieldSources: sourcesOf(entry, layers, options) } : entry];
}

/** The last file that says a field is where it came from. */
function sourcesOf(
  { fields }: RawEntry,
  layers: readonly Layer[],
  { tool }: MergeOptions,
): Record<string, Provenance> {
  const sources: Record<string, Provenance> = Object.create(null);
  for (const field of Object.keys(fields)) {
    const layer = layers.findLast(({ entry }) => wayTo(field, entry) !== undefined);
    if (layer === undefined) continue;
    const { source, path } = layer;
    const { file, scope, tier, document } = source;
    sources[field] = {
      tool,
      scope,
      tier,
      file,
      ...(positionOfField(source, path, field) ?? document.at(path)),
    };
  }
  return sources;
}

/** Objects are merged member by member; everything else is replaced. */
export function mergeObjects(base: JsonObject, overlay: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of Object.entries(base)) merged[key] = value;
  for (const [key, value] of Object.entries(overlay)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    merged[key] = isJsonObject(before) && isJsonObject(value) ? mergeObjects(before, value) : value;
  }
  return merged;
}

/** The servers of one file as layers. */
export function layersIn(
  source: SourceDocument,
  path: readonly string[],
  servers: JsonValue | undefined,
): Layer[] {
  if (!isJsonObject(servers)) return [];
  const members = Object.entries(servers).slice(0, mostServers(source));
  return members.flatMap(([name, entry]) =>
    isJsonObject(entry) ? [{ name, entry, source, path: [...path, name] }] : [],
  );
}

/** Servers of one file that are no layers: those that are no objects, and those beyond the limit. */
export function misshapen(
  source: SourceDocument,
  path: readonly string[],
  servers: JsonValue | undefined,
): Complaint[] {
  if (servers === undefined) return [];
  if (!isJsonObject(servers)) {
    const message = `"${path.join(".")}" must be an object that maps names to servers`;
    return [{ source, path, code: "file-shape", message }];
  }
  const members = Object.entries(servers);
  const wrong = members.slice(0, mostServers(source)).flatMap(([name, entry]): Complaint[] =>
    isJsonObject(entry)
      ? []
      : [
          {
            source,
            path: [...path, name],
            code: "entry-shape",
            message: `server "${name}" must be an object`,
          },
        ],
  );
  return [...tooMany(source, members.length), ...wrong];
}
