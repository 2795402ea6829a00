import type { Position } from "../model/index.ts";
import type { Complaint, ProviderReading, SourceDocument } from "./provider.ts";
import { joinReadings, readServerMap, type ServerMapOptions } from "./read-server-map.ts";

/** Reads several files whose owner accepts neither comments nor trailing commas. */
export function readStrictMaps(
  documents: readonly SourceDocument[],
  owner: string,
  options: ServerMapOptions,
): ProviderReading {
  return joinReadings(
    documents.map((source) => withStrictJson(readServerMap(source, options), source, owner)),
  );
}

/** Adds a problem if the file has comments or trailing commas, which its owner does not accept. */
export function withStrictJson(
  reading: ProviderReading,
  source: SourceDocument,
  owner: string,
): ProviderReading {
  const { comment, trailingComma } = source.document.lenient ?? {};
  const isComment =
    comment !== undefined && (trailingComma === undefined || isBefore(comment, trailingComma));
  const at = isComment ? comment : trailingComma;
  if (at === undefined) return reading;
  const has = isComment ? "a comment" : "a trailing comma";
  const message = `has ${has}: ${owner} reads strict JSON and would reject this file`;
  return complain(reading, { source, path: [], at, code: "owner-refuses", message, severity: "warning" });
}

function isBefore(left: Position, right: Position): boolean {
  return left.line < right.line || (left.line === right.line && left.column < right.column);
}

/** Adds a problem for the first invalid entry, for owners that reject the whole file because of it. */
export function withWholeFileRejection(reading: ProviderReading, owner: string): ProviderReading {
  const bad =
    reading.entries.find((entry) => entry.owner?.valid === false) ??
    reading.complaints?.find(({ code }) => code === "entry-shape");
  if (bad === undefined) return reading;
  const { source, path } = bad;
  const message = `server "${path.at(-1)}": ${owner} would reject the whole file because of this`;
  return complain(reading, { source, path, code: "owner-refuses", message, severity: "warning" });
}

/** Returns the reading with one more problem. */
export function complain(reading: ProviderReading, complaint: Complaint): ProviderReading {
  return { ...reading, complaints: [...(reading.complaints ?? []), complaint] };
}
