import { createHash } from "node:crypto";
import { isJsonObject, isList, type JsonValue } from "../../model/index.ts";
import { wordsOf } from "./search-words.ts";

/** One successful call. */
export interface ToolUse {
  /** The tool's `pairId`. */
  readonly tool: string;
  /** Hashes of the words that found the tool, from `hashWords`. */
  readonly words?: readonly string[] | undefined;
  /** Whether the session offered the tool directly beside the search tools. Not set for other sessions. */
  readonly isOffered?: boolean | undefined;
}

/** How often calls went to tools that sessions in `auto` mode offered directly. Old calls count less. */
export interface OfferedCalls {
  readonly calls: number;
  readonly hits: number;
}

/** The maximum size of the saved file in bytes. */
const MOST_BYTES = 1_000_000;
const [MOST_SEARCHES, MOST_WORDS, MOST_TOOLS] = [2_000, 16, 8] as const;
/** Each call reduces the weight of the earlier ones, so that about the last hundred matter. */
const DECAY = 0.99;
const LEAST_USES = 0.01;
/** Searches that are less similar do not count. */
const LEAST_SIMILARITY = 0.4;
const HASH = /^[0-9a-f]{8}$/;
const PAIR_ID = /^[0-9a-f]{16}$/;

/** The words of searches, and how often each tool was called after them. */
interface Search {
  readonly words: readonly string[];
  readonly tools: Map<string, number>;
}

/** Counts which tools were called, and after searches for which words. Contains hashes and counts, no texts. */
export class UsageCounts {
  /** By their words. The latest is last. */
  readonly #searches = new Map<string, Search>();
  readonly #uses = new Map<string, number>();
  #offered: OfferedCalls = { calls: 0, hits: 0 };

  /** Skips invalid parts, because everything in the file can be learned again. */
  static parse(text: string): UsageCounts {
    const counts = new UsageCounts();
    const value = parseJson(text);
    if (!isJsonObject(value) || value["version"] !== 1) return counts;
    const { searches, uses, offered } = value;
    for (const [id, count] of pairsIn(uses)) counts.#uses.set(id, count);
    for (const entry of isList(searches) ? searches.slice(-MOST_SEARCHES) : []) {
      if (!isJsonObject(entry) || !isList(entry["words"])) continue;
      const words = entry["words"].filter((word) => typeof word === "string" && HASH.test(word)) as string[];
      const tools = new Map(pairsIn(entry["tools"]).slice(0, MOST_TOOLS));
      if (words.length > 0 && words.length <= MOST_WORDS && tools.size > 0)
        counts.#searches.set(words.join(" "), { words, tools });
    }
    if (isJsonObject(offered)) {
      const { calls, hits } = offered;
      if (isCount(calls) && isCount(hits) && hits <= calls) counts.#offered = { calls, hits };
    }
    return counts;
  }

  toText(): string {
    const searches = [...this.#searches.values()].map(({ words, tools }) => ({
      words,
      tools: Object.fromEntries(tools),
    }));
    const rounded = [...this.#uses].map(([tool, uses]) => [tool, Math.round(uses * 1_000) / 1_000] as const);
    const others = { version: 1, uses: Object.fromEntries(rounded), offered: this.#offered };
    return `${JSON.stringify({ ...others, searches: withinBytes(searches, MOST_BYTES - JSON.stringify(others).length) })}\n`;
  }

  add({ tool, words = [], isOffered }: ToolUse): void {
    for (const [other, uses] of this.#uses) {
      if (uses * DECAY < LEAST_USES) this.#uses.delete(other);
      else this.#uses.set(other, uses * DECAY);
    }
    this.#uses.set(tool, (this.#uses.get(tool) ?? 0) + 1);
    if (isOffered !== undefined) {
      const { calls, hits } = this.#offered;
      this.#offered = { calls: calls * DECAY + 1, hits: hits * DECAY + (isOffered ? 1 : 0) };
    }
    if (words.length > 0) this.#addSearch(words.slice(0, MOST_WORDS), tool);
  }

  #addSearch(words: readonly string[], tool: string): void {
    const key = words.join(" ");
    const { tools } = this.#searches.get(key) ?? { tools: new Map<string, number>() };
    this.#searches.delete(key); // becomes the latest
    const count = (tools.get(tool) ?? 0) + 1;
    tools.delete(tool);
    tools.set(tool, count);
    const [oldestTool] = tools.keys();
    if (tools.size > MOST_TOOLS && oldestTool !== undefined) tools.delete(oldestTool);
    this.#searches.set(key, { words, tools });
    const [oldest] = this.#searches.keys();
    if (this.#searches.size > MOST_SEARCHES && oldest !== undefined) this.#searches.delete(oldest);
  }

  /** Returns how well each tool is proven for similar searches, from 0 to 1, by `pairId`. */
  learned(words: readonly string[]): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    if (this.#searches.size === 0 || words.length === 0) return found;
    const weigh = this.#rarities();
    const asked = new Set(words);
    const lengthOf = (some: Iterable<string>): number =>
      Math.sqrt(Array.from(some, weigh).reduce((sum, weight) => sum + weight ** 2, 0));
    const length = lengthOf(asked);
    for (const search of this.#searches.values()) {
      const shared = search.words.filter((word) => asked.has(word));
      if (shared.length === 0) continue;
      const similarity = lengthOf(shared) ** 2 / (length * lengthOf(search.words));
      if (similarity < LEAST_SIMILARITY) continue;
      const total = [...search.tools.values()].reduce((sum, count) => sum + count, 0);
      for (const [tool, count] of search.tools)
        found.set(tool, Math.max(found.get(tool) ?? 0, (similarity * count) / total));
    }
    return found;
  }

  /** Returns a function that weighs a word: words that occur in few searches weigh more. */
  #rarities(): (word: string) => number {
    const searches = new Map<string, number>();
    for (const { words } of this.#searches.values())
      for (const word of words) searches.set(word, (searches.get(word) ?? 0) + 1);
    return (word) => Math.log(1 + (this.#searches.size + 1) / (searches.get(word) ?? 1));
  }

  /** Returns how often each tool was called, by `pairId`. Old calls count less. */
  get uses(): ReadonlyMap<string, number> {
    return this.#uses;
  }

  get offered(): OfferedCalls {
    return this.#offered;
  }
}

/** Returns hashes of the words in queries, so that the file does not show what was searched for. */
export function hashWords(queries: readonly string[]): string[] {
  const words = new Set(queries.flatMap((query) => wordsOf(query.slice(0, 1_000))));
  return [...words]
    .slice(0, MOST_WORDS)
    .map((word) => createHash("sha256").update(word).digest("hex").slice(0, 8))
    .sort();
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // not JSON
  }
}

function pairsIn(value: JsonValue | undefined): (readonly [string, number])[] {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return entries.flatMap(([id, count]) => (PAIR_ID.test(id) && isCount(count) ? [[id, count] as const] : []));
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** Returns the latest items that fit into the size limit. */
function withinBytes<T>(items: readonly T[], bytes: number): T[] {
  let left = bytes;
  const start = items.findLastIndex((item) => (left -= JSON.stringify(item).length + 1) < 0);
  return items.slice(start + 1);
}
