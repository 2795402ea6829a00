import { isJsonObject, type JsonValue } from "../model/index.ts";
import type { Complaint, ProviderReading, RawEntry, SourceDocument } from "./provider.ts";
import { entryAt } from "./spellings.ts";

/**
 * Limits for a project's files. These are read before anybody has approved anything, so they must not be able to keep the
 * process busy. The size of a file is limited where it is read.
 */
const MOST_SERVERS = 1_000;
const MOST_MEMBERS = 1_000;
export const MOST_FILES = 100;

/** How many servers, or bundles, of a file are read. */
export function mostServers({ tier }: SourceDocument): number {
  return tier === "project" ? MOST_SERVERS : Number.POSITIVE_INFINITY;
}

/** What to say of a file with so many servers or bundles. */
export function tooMany(source: SourceDocument, count: number, what = "servers"): Complaint[] {
  if (count <= mostServers(source)) return [];
  const message = `has more than 1,000 ${what}; the rest are ignored`;
  return [{ source, path: [], code: "file-too-large", message }];
}

/** A provider's reading without what exceeds the limits, and with a complaint for each. */
export function withinLimits(reading: ProviderReading): ProviderReading {
  const counts = new Map<string, number>();
  const complaints: Complaint[] = [];
  const entries = reading.entries.filter((entry) => {
    const { source, path, name } = entry;
    if (source.tier !== "project") return true;
    const count = (counts.get(source.file) ?? 0) + 1;
    counts.set(source.file, count);
    if (count > MOST_SERVERS) {
      if (count === MOST_SERVERS + 1) complaints.push(...tooMany(source, count));
      return false;
    }
    const field = tooLong(entry);
    if (field === undefined) return true;
    const message = `server "${name}" is ignored: ${field} has more than 1,000 members`;
    complaints.push({ source, path, code: "entry-shape", message });
    return false;
  });
  return complaints.length === 0
    ? reading
    : { ...reading, entries, complaints: [...(reading.complaints ?? []), ...complaints] };
}

/** What of an entry has too many members, as written or as its reader understands it: all readers must agree. */
function tooLong({ fields, source, path, entry }: RawEntry): string | undefined {
  for (const object of [entry ?? entryAt(source, path), fields]) {
    if (!isJsonObject(object)) continue;
    if (sizeOf(object) > MOST_MEMBERS) return "it";
    const found = Object.entries(object).find(([, value]) => sizeOf(value) > MOST_MEMBERS);
    if (found !== undefined) return `"${found[0]}"`;
  }
  return undefined;
}

function sizeOf(value: JsonValue): number {
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}
