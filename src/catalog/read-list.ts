import type { Connection } from "../connection/index.ts";
import { type JsonValue, type Problem, safeLine, truncate } from "../model/index.ts";
import type { ParsedItem } from "./parse-items.ts";

const MOST_PAGES = 1_000;
const MOST_ITEMS = 50_000;
/** Enough to see what is wrong; a server that sends nothing but garbage must not fill the memory with complaints. */
const MOST_COMPLAINTS = 20;

/** One of the lists a server keeps. The four differ in these facts only. */
export interface ListKind<T> {
  readonly method: string;
  readonly key: string;
  readonly noun: string;
  parse(value: unknown): ParsedItem<T>;
  /** What there can be only one of. */
  idOf(item: T): string;
}

export interface ReadList<T> {
  readonly items: readonly T[];
  readonly problems: readonly Problem[];
}

/** Reads all pages. A malformed or repeated item is dropped alone; a list that never ends is cut, keeping what was read. */
export async function readList<T>(
  connection: Connection,
  kind: ListKind<T>,
  timeoutMs: number,
): Promise<ReadList<T>> {
  const { server } = connection;
  const items = new Map<string, T>();
  const complaints: string[] = [];
  let dropped = 0;
  const drop = (wrong: string): void => {
    dropped += 1;
    if (complaints.length < MOST_COMPLAINTS) complaints.push(wrong);
  };
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let isCut = false;
  for (let page = 1; !isCut; page += 1) {
    const result = await connection.request(kind.method, cursor === undefined ? {} : { cursor }, {
      timeoutMs,
    });
    for (const value of listOf(result[kind.key])) {
      isCut = items.size >= MOST_ITEMS;
      if (isCut) break;
      const parsed = kind.parse(value);
      if ("wrong" in parsed) drop(parsed.wrong);
      else if (items.has(kind.idOf(parsed.item))) drop(`"${kind.idOf(parsed.item)}" is listed twice`);
      else items.set(kind.idOf(parsed.item), parsed.item);
    }
    const next = result["nextCursor"];
    if (typeof next !== "string" || next === "") break;
    isCut ||= cursors.has(next) || page >= MOST_PAGES || items.size >= MOST_ITEMS;
    cursors.add(next);
    cursor = next;
  }
  const problems = complaints.map((wrong) => describeDropped(server, kind.noun, wrong));
  if (dropped > complaints.length) {
    const message = `server "${server}": ${dropped - complaints.length} more ${kind.noun}s were dropped`;
    problems.push({ code: "tool-invalid", severity: "warning", message, server });
  }
  if (isCut) {
    const message = `server "${server}": its list of ${kind.noun}s does not end; the first ${items.size} are used`;
    problems.push({ code: "list-partial", severity: "warning", message, server });
  }
  return { items: [...items.values()], problems };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function describeDropped(server: string, noun: string, wrong: string): Problem {
  const message = `server "${server}": one ${noun} was dropped: ${truncate(safeLine(wrong), 200)}`;
  return { code: "tool-invalid", severity: "warning", message, server };
}
