import type { Connection } from "../connection/index.ts";
import { type JsonValue, type Problem, safeLine, truncate } from "../model/index.ts";
import type { ParsedItem } from "./parse-items.ts";

const MOST_PAGES = 1_000;
const MOST_ITEMS = 50_000;

/** One of the lists a server keeps. The four differ in these facts only. */
export interface ListKind<T> {
  readonly method: string;
  readonly key: string;
  readonly noun: string;
  parse(value: unknown): ParsedItem<T>;
}

export interface ReadList<T> {
  readonly items: readonly T[];
  readonly problems: readonly Problem[];
}

/** Reads all pages. A malformed item is dropped alone; a list that never ends is cut, keeping what was read. */
export async function readList<T>(
  connection: Connection,
  kind: ListKind<T>,
  timeoutMs: number,
): Promise<ReadList<T>> {
  const { server } = connection;
  const items: T[] = [];
  const problems: Problem[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const result = await connection.request(kind.method, cursor === undefined ? {} : { cursor }, {
      timeoutMs,
    });
    for (const value of listOf(result[kind.key])) {
      const parsed = kind.parse(value);
      if ("item" in parsed) items.push(parsed.item);
      else problems.push(dropped(server, kind.noun, parsed.wrong));
    }
    const next = result["nextCursor"];
    if (typeof next !== "string") return { items, problems };
    if (cursors.has(next) || page >= MOST_PAGES || items.length >= MOST_ITEMS) {
      const message = `server "${server}": its list of ${kind.noun}s does not end; the first ${items.length} are used`;
      return {
        items,
        problems: [...problems, { code: "list-partial", severity: "warning", message, server }],
      };
    }
    cursors.add(next);
    cursor = next;
  }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function dropped(server: string, noun: string, wrong: string): Problem {
  const message = `server "${server}": one ${noun} was dropped: ${truncate(safeLine(wrong), 200)}`;
  return { code: "tool-invalid", severity: "warning", message, server };
}
