import { isJsonObject, type JsonObject, type JsonValue, type Provenance } from "../model/index.ts";
import { fieldPath, positionOfField } from "./field-names.ts";
import { maxServers, tooManyProblems } from "./limits.ts";
import type { Complaint, MappedEntry, RawEntry, SourceDocument } from "./provider.ts";

/** The fields that one file sets for a server, for tools that merge their files field by field. */
export interface Layer {
  readonly name: string;
  readonly entry: JsonObject;
  readonly source: SourceDocument;
  readonly path: readonly string[];
}

export interface MergeOptions extends Pick<RawEntry, "expansion"> {
  /** The provider id, for the provenance of single fields. */
  readonly tool: string;
  map(entry: JsonObject, name: string, source: SourceDocument, layers: readonly Layer[]): MappedEntry;
}

/**
 * Merges layers into servers, weakest layer first. If a project's layer contributes to a server, returns two entries:
 * the merged one, which belongs to the project, and one merged from the user's own files only.
 */
export function mergeLayers(layers: readonly Layer[], options: MergeOptions): RawEntry[] {
  const byName = new Map<string, Layer[]>();
  for (const layer of layers) {
    const known = byName.get(layer.name);
    if (known === undefined) byName.set(layer.name, [layer]);
    else known.push(layer);
  }
  return [...byName.values()].flatMap((sameName) => {
    const own = sameName.filter(({ source }) => source.tier !== "project");
    const whole = merge(sameName, options);
    return own.length === 0 || own.length === sameName.length ? whole : [...whole, ...merge(own, options)];
  });
}

function merge(layers: readonly Layer[], options: MergeOptions): RawEntry[] {
  // An entry with any project layer belongs to the project, even if a stronger user file adds to it.
  const ofProjects = layers.filter(({ source }) => source.tier === "project");
  const main = ofProjects.findLast(isInProject) ?? ofProjects.at(-1) ?? layers.at(-1);
  if (main === undefined) return [];
  const { map, expansion } = options;
  const { name, source, path } = main;
  const merged = layers.map(({ entry }) => entry).reduce(mergeObjects);
  const mapped = map(merged, name, source, layers);
  const entry: RawEntry = { name, source, path, expansion, entry: merged, ...mapped };
  return [layers.length > 1 ? { ...entry, fieldSources: sourcesOf(entry, layers, options) } : entry];
}

/** Other layers with a project's tier are the user's files that others could have written. They belong to no folder. */
function isInProject({ source: { scope } }: Layer): boolean {
  return scope !== "user" && scope !== "managed";
}

/** Returns the provenance of each field: the last file that sets it. */
function sourcesOf(
  { fields }: RawEntry,
  layers: readonly Layer[],
  { tool }: MergeOptions,
): Record<string, Provenance> {
  const sources: Record<string, Provenance> = Object.create(null);
  for (const field of Object.keys(fields)) {
    const layer = layers.findLast(({ entry }) => fieldPath(field, entry) !== undefined);
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

/** Merges objects recursively. Other values are replaced. */
export function mergeObjects(base: JsonObject, overlay: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of Object.entries(base)) merged[key] = value;
  for (const [key, value] of Object.entries(overlay)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    merged[key] = isJsonObject(before) && isJsonObject(value) ? mergeObjects(before, value) : value;
  }
  return merged;
}

/** Returns the servers of one file as layers. */
export function layersIn(
  source: SourceDocument,
  path: readonly string[],
  servers: JsonValue | undefined,
): Layer[] {
  if (!isJsonObject(servers)) return [];
  const members = Object.entries(servers).slice(0, maxServers(source));
  return members.flatMap(([name, entry]) =>
    isJsonObject(entry) ? [{ name, entry, source, path: [...path, name] }] : [],
  );
}

/** Returns problems for servers that are not objects and for servers beyond the limit. */
export function shapeProblems(
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
  const notObjects = members.slice(0, maxServers(source)).flatMap(([name, entry]): Complaint[] =>
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
  return [...tooManyProblems(source, members.length), ...notObjects];
}
