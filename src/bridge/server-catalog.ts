import { type AgentTool, groupBy, shortLine } from "../model/index.ts";
import { estimateTextTokens } from "./estimate-tokens.ts";
import { stem } from "./search/search-words.ts";

/** The names of 131 servers take 300 tokens. Hints use what is left. */
const CATALOG_TOKENS = 365;
/** Names are shown up to this length together, however many servers there are. */
const MOST_NAME_CHARS = 8_000;
const LONGEST_NAME = 60;
const [HINT_WORDS, LONGEST_HINT_WORD] = [3, 20] as const;
/** Words that say nothing about a server: the verbs of tools, and parts of sentences. */
const PLAIN = new Set(
  `add all and batch by call check close copy count create delete describe details do edit execute fetch file files find for from get id
   in info into is item items list load make manage many mcp move multiple new of on open or post put query read remove rename run save
   search send set show single start status stop submit text to tool tools update upload use user users validate view with write`.split(
    /\s+/,
  ),
);

interface Entry {
  readonly name: string;
  /** The share of its tools that mention a word of the server's name. */
  readonly obviousness: number;
  readonly words: ReadonlyMap<string, number>;
}

/** Names every server, and says what the least obvious ones are for: `github memory(entities relations) slack`. */
export function describeServers(tools: readonly AgentTool[]): string {
  const byServer = groupBy(tools, ({ server }) => server);
  const entries = [...byServer.keys()].sort().map((server) => toEntry(server, byServer.get(server) ?? []));
  const hints = chooseHints(entries);
  const shown: string[] = [];
  let length = 0;
  for (const entry of entries) {
    length += entry.name.length + 1;
    if (length > MOST_NAME_CHARS) return `${shown.join(" ")} and ${entries.length - shown.length} more`;
    shown.push(`${entry.name}${hints.get(entry) ?? ""}`);
  }
  return shown.join(" ");
}

/** Estimates what the names of servers cost beyond the estimate for words, because names of products are rarer than words. */
export function extraNameTokens(names: string): number {
  return Math.ceil(estimateTextTokens(names) / 2);
}

function toEntry(server: string, tools: readonly AgentTool[]): Entry {
  const own = new Set(wordsIn(server));
  const words = new Map<string, number>();
  let mentions = 0;
  for (const { tool, title, description } of tools) {
    const mine = new Set(wordsIn(tool.slice(0, 200)));
    for (const word of mine)
      if (!PLAIN.has(word) && !own.has(word)) words.set(word, (words.get(word) ?? 0) + 1);
    const text = `${tool} ${title} ${description.slice(0, 200)}`.toLowerCase();
    if ([...own].some((word) => text.includes(word))) mentions += 1;
  }
  const name = shortLine(server, LONGEST_NAME);
  return {
    name: name.includes(" ") ? JSON.stringify(name) : name,
    obviousness: mentions / tools.length,
    words,
  };
}

/** Spends the tokens that the names leave on the least obvious servers. */
function chooseHints(entries: readonly Entry[]): ReadonlyMap<Entry, string> {
  const servers = new Map<string, number>();
  for (const { words } of entries)
    for (const word of words.keys()) servers.set(word, (servers.get(word) ?? 0) + 1);
  const hints = new Map<Entry, string>();
  const names = entries.map(({ name }) => name).join(" ");
  let left = CATALOG_TOKENS - estimateTextTokens(names) - extraNameTokens(names);
  const order = entries.toSorted((one, other) => one.obviousness - other.obviousness);
  for (const entry of order) {
    const weigh = ([word, count]: readonly [string, number]): number =>
      count * Math.log(1 + entries.length / (servers.get(word) ?? 1));
    const best = new Map<string, string>(); // by stem, because "record records" says no more than "record"
    for (const [word] of [...entry.words].sort((one, other) => weigh(other) - weigh(one))) {
      if (best.size === HINT_WORDS) break;
      if (!best.has(stem(word))) best.set(stem(word), word);
    }
    if (best.size === 0) continue;
    const hint = `(${[...best.values()].join(" ")})`;
    left -= estimateTextTokens(hint);
    if (left < 0) break;
    hints.set(entry, hint);
  }
  return hints;
}

function wordsIn(name: string): string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return (spaced.match(/[a-z]{3,}/g) ?? []).filter((word) => word.length <= LONGEST_HINT_WORD);
}
