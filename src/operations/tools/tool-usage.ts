import {
  estimateTokens,
  hashWords,
  pairId,
  type SearchMemory,
  type ToolUse,
  UsageCounts,
} from "../../bridge/index.ts";
import type { AgentTool } from "../../model/index.ts";
import type { DeferredWrites, UsageFile } from "../../state/index.ts";

/** A call is attributed to one of this many preceding searches. */
const REMEMBERED_SEARCHES = 5;

/** Learns from the calls of one person. Never shared between people. */
export interface ToolUsage {
  /** Reads the counts of earlier runs. Call this before the other methods. */
  load(): Promise<void>;
  /** Returns the memory of one session, or of the host's own searches. */
  memoryOf(scope: object): SearchMemory;
  /** Counts a successful call. Outside sessions, only calls after a search count. */
  called(scope: object, server: string, tool: string, isSession: boolean): void;
  /** Sets the tools that a session offers directly beside the search tools, by `pairId`. */
  offered(scope: object, tools: ReadonlySet<string>): void;
  /** Returns the counts, or `undefined` if learning is off. */
  counts(): UsageCounts | undefined;
  /** Deletes what was learned. Returns whether there was anything. */
  forget(): Promise<boolean>;
}

export interface ToolUsageOptions {
  readonly file: UsageFile;
  readonly later: DeferredWrites;
  /** Writes with the same key replace each other, so each person needs a separate key. */
  readonly key: string;
  isOn(): boolean;
}

/** The searches of a session that no call belongs to yet. The latest is last. */
interface Scope {
  searches: { readonly words: readonly string[]; readonly tools: Set<string> }[];
  offered?: ReadonlySet<string>;
}

export function createToolUsage({ file, later, key, isOn }: ToolUsageOptions): ToolUsage {
  let counts = new UsageCounts();
  let loading: Promise<void> | undefined;
  let unsaved: ToolUse[] = [];
  const scopes = new WeakMap<object, Scope>();

  const scopeOf = (scope: object): Scope => {
    const known = scopes.get(scope) ?? { searches: [] };
    scopes.set(scope, known);
    return known;
  };
  /** Adds the new calls to what other processes have saved since. */
  const save = async (): Promise<void> => {
    const added = unsaved;
    unsaved = [];
    await file.update((text) => {
      const saved = UsageCounts.parse(text ?? "");
      for (const use of added) saved.add(use);
      const written = saved.toText();
      for (const use of unsaved) saved.add(use); // calls during this write
      counts = saved;
      return written;
    });
  };
  return {
    load() {
      if (!isOn()) return Promise.resolve();
      loading ??= file.read().then(
        (text) => {
          counts = UsageCounts.parse(text ?? "");
          for (const use of unsaved) counts.add(use);
        },
        () => {}, // learning starts over
      );
      return loading;
    },
    memoryOf: (scope) => ({
      learned: (queries) => (isOn() ? counts.learned(hashWords(queries)) : new Map()),
      searched(queries, found) {
        if (!isOn() || found.length === 0) return;
        const { searches } = scopeOf(scope);
        searches.push({ words: hashWords(queries), tools: new Set(found.map(pairId)) });
        if (searches.length > REMEMBERED_SEARCHES) searches.shift();
      },
    }),
    called(scope, server, tool, isSession) {
      if (!isOn()) return;
      const id = pairId({ server, tool });
      const { searches, offered } = scopeOf(scope);
      const search = searches.findLast(({ tools }) => tools.has(id));
      if (search === undefined && !isSession) return;
      search?.tools.delete(id); // a search counts once for each tool
      const use: ToolUse = { tool: id, words: search?.words, isOffered: offered?.has(id) };
      counts.add(use);
      unsaved.push(use);
      later.put(key, save);
    },
    offered(scope, tools) {
      scopeOf(scope).offered = tools;
    },
    counts: () => (isOn() ? counts : undefined),
    async forget() {
      unsaved = [];
      await later.drop(key);
      const hadUses = counts.uses.size > 0; // perhaps not saved yet
      counts = new UsageCounts();
      return (await file.remove()) || hadUses;
    },
  };
}

/** Returns the tools that are worth offering directly. */
export function chooseSlots(
  tools: readonly AgentTool[],
  counts: UsageCounts | undefined,
  most: number,
): AgentTool[] {
  if (counts === undefined || most === 0) return [];
  const { uses } = counts;
  const total = [...uses.values()].reduce((sum, count) => sum + count, 0);
  const gains = tools.flatMap((tool) => {
    const count = uses.get(pairId(tool)) ?? 0;
    const gain = (count / (total + DOUBT)) * SEARCH_TOKENS - (count > 0 ? estimateTokens([tool]) : 0);
    return count >= LEAST_USES && gain > 0 ? [{ tool, gain }] : [];
  });
  gains.sort((one, other) => other.gain - one.gain);
  return gains.slice(0, most).map(({ tool }) => tool);
}

/**
 * What a search costs, measured with whole tasks: the definitions and the conversation are sent once more, and its answer stays in the
 * conversation. A tool is offered directly if its definition costs less in each turn than the searches that it probably saves.
 */
const SEARCH_TOKENS = 1_500;
/** Tools that were called less often say little about the next calls. */
const LEAST_USES = 2.5;
/** As if this many other tools had been called too. */
const DOUBT = 5;
