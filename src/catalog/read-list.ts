import type { Connection, ServerRelay } from "../connection/index.ts";
import {
  type HostErrorCode,
  isHostError,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  messageOf,
  type Problem,
  shortLine,
} from "../model/index.ts";
import { createListBudget, forEachYielding, jsonWeight, type WeightLimits } from "../platform/index.ts";
import type { ParsedItem } from "./parse-items.ts";
import { setWire } from "./wire-definitions.ts";

const MOST_PAGES = 1_000;
const MOST_ITEMS = 50_000;
/** A list with a longer cursor is truncated. All cursors are kept, to detect one that repeats. */
const LONGEST_CURSOR = 8 * 1024;
/** Limits the reported problems, so that a server that sends only invalid items does not fill the memory. */
const MOST_COMPLAINTS = 20;
/** The largest weight of a dropped item, so that one very large item does not cut the list. */
const DROPPED: WeightLimits = { depth: 32, weight: 64 * 1024 };
/** Larger definitions are relayed with the parsed fields only. */
const WIRE_LIMITS: WeightLimits = { depth: 64, weight: 512 * 1024 };
/** If a later page fails with one of these, the earlier pages are used. */
const PAGE_FAILURES: ReadonlySet<HostErrorCode> = new Set(["REQUEST_REFUSED", "REQUEST_TIMEOUT"]);

/** One of a server's four lists. */
export interface ListKind<T> {
  readonly method: string;
  readonly key: string;
  readonly noun: string;
  /** The size limit of all pages together. Items beyond it are dropped. */
  readonly heaviest: number;
  parse(value: unknown): ParsedItem<T>;
  /** Returns the id of an item, which must be unique. */
  idOf(item: T): string;
}

/** A list that was read. */
export interface ReadList<T> {
  readonly items: readonly T[];
  readonly problems: readonly Problem[];
  /** How long the list counts as fresh according to the server: the shortest time of all pages. */
  readonly ttlMs: number | undefined;
}

export interface ReadListOptions {
  /** The limit for one page. All pages together may take five times as long. */
  readonly timeoutMs: number;
  /** Returns the time in milliseconds from a clock that never goes back. */
  elapsed(): number;
  /** Whether to keep definitions as the server sent them, see `wireOf`. */
  readonly verbatim?: boolean | undefined;
  /** Changes or drops items of a verbatim list. */
  readonly passOn?: ServerRelay["passOn"];
}

/** Reads all pages. Drops malformed and duplicate items. If the list does not end or a page fails, keeps what was read. */
export async function readList<T extends object>(
  connection: Connection,
  kind: ListKind<T>,
  { timeoutMs, elapsed, verbatim = false, passOn }: ReadListOptions,
): Promise<ReadList<T>> {
  const { server } = connection;
  const items = new Map<string, T>();
  const complaints: string[] = [];
  let dropped = 0;
  let weight = 0;
  const drop = (value: JsonValue, wrong: string): boolean => {
    const dropWeight = jsonWeight(value, DROPPED);
    weight += typeof dropWeight === "number" ? dropWeight : DROPPED.weight;
    dropped += 1;
    if (complaints.length < MOST_COMPLAINTS) complaints.push(wrong);
    return weight <= kind.heaviest;
  };
  const take = (value: JsonValue): boolean => {
    if (items.size + dropped >= MOST_ITEMS) return false;
    const sent = isJsonObject(value) && passOn ? passOn(value, connection.capabilities ?? {}) : value;
    if (sent === undefined) return true;
    const parsed = kind.parse(value);
    if ("wrong" in parsed) return drop(value, parsed.wrong);
    weight += parsed.weight;
    if (weight > kind.heaviest) return false;
    const id = kind.idOf(parsed.item);
    if (items.has(id)) return drop(value, `"${id}" is listed twice`);
    items.set(id, parsed.item);
    if (verbatim) weight += keepWire(parsed.item, sent);
    return true;
  };
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let ttlMs: number | undefined;
  let cut: string | undefined;
  const nextLimit = createListBudget(elapsed, timeoutMs);
  for (let page = 1; cut === undefined; page += 1) {
    const pageMs = nextLimit();
    if (pageMs === undefined) {
      cut = "takes too long";
      ttlMs = 0;
      break;
    }
    const result = await readPage(connection, kind.method, cursor, pageMs);
    if (result instanceof Error) {
      cut = `ends early (${messageOf(result)})`;
      ttlMs = 0;
      break;
    }
    ttlMs = shorter(ttlMs, result["ttlMs"]);
    const isWhole = await forEachYielding(itemsOf(result[kind.key]), take);
    if (!isWhole) cut = weight > kind.heaviest ? "is too large" : "does not end";
    const next = result["nextCursor"];
    if (typeof next !== "string" || next === "") break;
    if (next.length > LONGEST_CURSOR) {
      cut = "has a cursor that is too long";
      break;
    }
    if (cursors.has(next) || page >= MOST_PAGES || items.size + dropped >= MOST_ITEMS) cut ??= "does not end";
    cursors.add(next);
    cursor = next;
  }
  const code = kind.noun === "tool" ? "tool-invalid" : "item-invalid";
  const problems = complaints.map((wrong): Problem => {
    const message = `server "${server}": one ${kind.noun} was dropped: ${shortLine(wrong, 200)}`;
    return { code, severity: "warning", message, server };
  });
  if (dropped > complaints.length) {
    const message = `server "${server}": ${dropped - complaints.length} more ${kind.noun}s were dropped`;
    problems.push({ code, severity: "warning", message, server });
  }
  if (cut !== undefined) {
    const message = `server "${server}": its list of ${kind.noun}s ${cut}; the first ${items.size} are used`;
    problems.push({ code: "list-partial", severity: "warning", message, server });
  }
  return { items: [...items.values()], problems, ttlMs };
}

/** Keeps a definition as it was sent, unless it is too large. Returns its weight. */
function keepWire(item: object, value: JsonValue): number {
  const weight = jsonWeight(value, WIRE_LIMITS);
  if (typeof weight !== "number" || !isJsonObject(value)) return 0;
  setWire(item, value);
  return weight;
}

/** Reads a page. Rejects if the first page fails; returns the error if a later one does. */
async function readPage(
  connection: Connection,
  method: string,
  cursor: string | undefined,
  timeoutMs: number,
): Promise<JsonObject | Error> {
  if (cursor === undefined) return connection.request(method, {}, { timeoutMs });
  try {
    return await connection.request(method, { cursor }, { timeoutMs });
  } catch (error) {
    if (isHostError(error) && PAGE_FAILURES.has(error.code)) return error;
    throw error;
  }
}

function shorter(before: number | undefined, ttl: JsonValue | undefined): number | undefined {
  if (typeof ttl !== "number" || !(ttl >= 0)) return before;
  return before === undefined ? ttl : Math.min(before, ttl);
}
