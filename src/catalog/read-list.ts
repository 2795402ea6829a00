import type { Connection } from "../connection/index.ts";
import {
  type HostErrorCode,
  isHostError,
  type JsonObject,
  type JsonValue,
  messageOf,
  type Problem,
  shortLine,
} from "../model/index.ts";
import { createListBudget, inTurns, jsonWeight, type WeightLimits } from "../platform/index.ts";
import type { ParsedItem } from "./parse-items.ts";

const MOST_PAGES = 1_000;
const MOST_ITEMS = 50_000;
/** A list with a longer cursor is cut. All cursors are kept, to notice one that comes again. */
const LONGEST_CURSOR = 8 * 1024;
/** Enough to see what is wrong; a server that sends nothing but garbage must not fill the memory with complaints. */
const MOST_COMPLAINTS = 20;
/** What an item that is dropped counts as at most: one that is very large must not cut the list. */
const DROPPED: WeightLimits = { depth: 32, weight: 64 * 1024 };
/** A later page that fails like this leaves the earlier ones usable. */
const PAGE_FAILURES: ReadonlySet<HostErrorCode> = new Set(["REQUEST_REFUSED", "REQUEST_TIMEOUT"]);

/** One of the lists a server keeps. The four differ in these facts only. */
export interface ListKind<T> {
  readonly method: string;
  readonly key: string;
  readonly noun: string;
  /** What all items may weigh: what comes after that is left out, however many pages it is spread over. */
  readonly heaviest: number;
  parse(value: unknown): ParsedItem<T>;
  /** What there can be only one of. */
  idOf(item: T): string;
}

export interface ReadList<T> {
  readonly items: readonly T[];
  readonly problems: readonly Problem[];
  /** How long the server says the list holds; the least that any page says. */
  readonly ttlMs: number | undefined;
}

export interface ReadListOptions {
  /** The limit for one page. All pages together may take five times as long. */
  readonly timeoutMs: number;
  /** The time, which is never set back. */
  elapsed(): number;
}

/** Reads all pages. A malformed or repeated item is dropped alone; a list that never ends or breaks off is cut, keeping what was read. */
export async function readList<T>(
  connection: Connection,
  kind: ListKind<T>,
  { timeoutMs, elapsed }: ReadListOptions,
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
    const parsed = kind.parse(value);
    if ("wrong" in parsed) return drop(value, parsed.wrong);
    weight += parsed.weight;
    if (weight > kind.heaviest) return false;
    const id = kind.idOf(parsed.item);
    if (items.has(id)) return drop(value, `"${id}" is listed twice`);
    items.set(id, parsed.item);
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
      cut = `breaks off (${messageOf(result)})`;
      ttlMs = 0;
      break;
    }
    ttlMs = shorter(ttlMs, result["ttlMs"]);
    const isWhole = await inTurns(listOf(result[kind.key]), take);
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

/** The first page must come; what goes wrong with a later one is answered instead. */
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

function shorter(before: number | undefined, said: JsonValue | undefined): number | undefined {
  if (typeof said !== "number" || !(said >= 0)) return before;
  return before === undefined ? said : Math.min(before, said);
}

/** What is no list has nothing in it. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
