import { isJsonObject, type JsonValue, truncate } from "../model/index.ts";
import { entryAt } from "./field-names.ts";
import type { Complaint, ProviderReading, RawEntry, ServerQuota, SourceDocument } from "./provider.ts";

/**
 * Limits for a project's files. Plugboard reads them before the user approves anything, so they must not be able to
 * keep the process busy. `ProjectBudget` limits the file sizes.
 */
const MOST_SERVERS = 1_000;
const MOST_SERVERS_IN_ALL = 2_000;
const TOO_MANY_SERVERS = "a project can have at most 2,000";
const MOST_MEMBERS = 1_000;
/** No system accepts longer arguments, and inspecting them takes time for every character. */
const LONGEST_TEXT = 32 * 1024;
const MOST_TEXT = 256 * 1024;
/** How many files are read if a tool reads every file of a folder. */
export const MAX_FILES = 100;
/** How many names are listed in a folder, and how many matching names are used. */
export const MAX_NAMES = 10_000;
export const MAX_MATCHES = 1_000;
/** How many problems are reported per file. */
export const MAX_PROBLEMS = 100;

/** Counts a project's servers. Several tools may read the same entry, so entries are counted by file and path. */
export class ProjectServers {
  readonly #places = new Set<string>();
  isExceeded = false;

  /** Returns whether the server is within the limit. */
  admit(entry: RawEntry): boolean {
    const place = entryKey(entry);
    if (this.#places.has(place)) return true;
    if (this.#places.size >= MOST_SERVERS_IN_ALL) return false;
    this.#places.add(place);
    return true;
  }
}

/** Returns how many servers one tool may read from a project's files. */
export function createQuota(): ServerQuota {
  return { left: MOST_SERVERS_IN_ALL, isExceeded: false };
}

export function entryKey({ source, path }: RawEntry): string {
  return JSON.stringify([source.file, ...path]);
}

/** Returns how many servers or bundles are read from a file. */
export function maxServers({ tier }: SourceDocument): number {
  return tier === "project" ? MOST_SERVERS : Number.POSITIVE_INFINITY;
}

/** Takes servers from the project's quota. Returns how many may be read, and problems if that is not all of them. */
export function takeServers(
  source: SourceDocument,
  count: number,
): { most: number; complaints: Complaint[] } {
  const complaints = tooManyProblems(source, count);
  const allowed = Math.min(count, maxServers(source));
  const { quota } = source;
  if (quota === undefined) return { most: allowed, complaints };
  const most = Math.min(allowed, quota.left);
  quota.left -= most;
  if (most === allowed || quota.isExceeded) return { most, complaints };
  quota.isExceeded = true;
  const message = `has servers that are ignored, and so are the servers read after them: ${TOO_MANY_SERVERS}`;
  return { most, complaints: [...complaints, { source, path: [], code: "file-too-large", message }] };
}

/** Returns a problem if a file has too many servers or bundles. */
export function tooManyProblems(source: SourceDocument, count: number, what = "servers"): Complaint[] {
  if (count <= maxServers(source)) return [];
  const message = `has more than 1,000 ${what}; the rest are ignored`;
  return [{ source, path: [], code: "file-too-large", message }];
}

/** Removes entries that exceed the limits and adds a problem for each limit. */
export function withinLimits(reading: ProviderReading, servers: ProjectServers): ProviderReading {
  const counts = new Map<string, number>();
  const complaints: Complaint[] = [];
  const entries = reading.entries.filter((entry) => {
    const { source, path, name } = entry;
    if (source.tier !== "project") return true;
    const count = (counts.get(source.file) ?? 0) + 1;
    counts.set(source.file, count);
    if (count > MOST_SERVERS) {
      if (count === MOST_SERVERS + 1) complaints.push(...tooManyProblems(source, count));
      return false;
    }
    const excess = excessOf(entry);
    if (excess !== undefined) {
      const message = `server "${truncate(name, 100)}" is ignored: ${excess}`;
      complaints.push({ source, path, code: "entry-shape", message });
      return false;
    }
    if (servers.admit(entry)) return true;
    const message = `server "${name}" is ignored, and so are the servers read after it: ${TOO_MANY_SERVERS}`;
    if (!servers.isExceeded) complaints.push({ source, path, code: "file-too-large", message });
    servers.isExceeded = true;
    return false;
  });
  return entries.length === reading.entries.length
    ? reading
    : { ...reading, entries, complaints: [...(reading.complaints ?? []), ...complaints] };
}

/** Returns the limit that an entry exceeds, as written or as its reader maps it. All readers must agree. */
function excessOf({ name, fields, source, path, entry }: RawEntry): string | undefined {
  if (name.length > LONGEST_TEXT) return "its name is longer than 32 KB";
  for (const object of [entry ?? entryAt(source, path), fields]) {
    if (!isJsonObject(object)) continue;
    if (sizeOf(object) > MOST_MEMBERS) return "it has more than 1,000 members";
    let left = MOST_TEXT;
    for (const [key, value] of Object.entries(object)) {
      const field = `"${truncate(key, 100)}"`;
      if (sizeOf(value) > MOST_MEMBERS) return `${field} has more than 1,000 members`;
      const { longest, total } = textsIn([key, value]);
      if (longest > LONGEST_TEXT) return `${field} has a text that is longer than 32 KB`;
      left -= total;
      if (left < 0) return "its texts are longer than 256 KB in total";
    }
  }
  return undefined;
}

/** Returns the length of the longest text in a value, including member names, and the total length of its texts. */
function textsIn(value: JsonValue): { readonly longest: number; readonly total: number } {
  let longest = 0;
  let total = 0;
  const waiting: JsonValue[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") {
      longest = Math.max(longest, next.length);
      total += next.length;
    } else if (Array.isArray(next)) for (const item of next as readonly JsonValue[]) waiting.push(item);
    else if (isJsonObject(next)) for (const [key, item] of Object.entries(next)) waiting.push(key, item);
  }
  return { longest, total };
}

function sizeOf(value: JsonValue): number {
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}
