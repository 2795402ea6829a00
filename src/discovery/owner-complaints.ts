import type { Complaint, ProviderReading, SourceDocument } from "./provider.ts";
import { joinReadings, readServerMap, type ServerMapOptions } from "./read-server-map.ts";
import { isStrictJson } from "./strict-json.ts";

/** Reads several files of one kind for an owner that knows neither comments nor trailing commas. */
export function readStrictMaps(
  documents: readonly SourceDocument[],
  owner: string,
  options: ServerMapOptions,
): ProviderReading {
  return joinReadings(
    documents.map((source) => withStrictJson(readServerMap(source, options), source, owner)),
  );
}

/** A reading by an owner that knows neither comments nor trailing commas: a file that has some is a complaint. */
export function withStrictJson(
  reading: ProviderReading,
  source: SourceDocument,
  owner: string,
): ProviderReading {
  if (isStrictJson(source)) return reading;
  const message = `has comments or trailing commas: ${owner} reads strict JSON and would reject this file`;
  return complain(reading, { source, path: [], code: "owner-refuses", message, severity: "warning" });
}

/** A reading by an owner that refuses a whole file for one bad entry: the first such entry is a complaint. */
export function withWholeFile(reading: ProviderReading, owner: string): ProviderReading {
  const bad =
    reading.entries.find((entry) => entry.owner?.valid === false) ??
    reading.complaints?.find(({ code }) => code === "entry-shape");
  if (bad === undefined) return reading;
  const { source, path } = bad;
  const message = `server "${path.at(-1)}": ${owner} would reject the whole file because of this`;
  return complain(reading, { source, path, code: "owner-refuses", message, severity: "warning" });
}

/** A reading with one more complaint. */
export function complain(reading: ProviderReading, complaint: Complaint): ProviderReading {
  return { ...reading, complaints: [...(reading.complaints ?? []), complaint] };
}
