import { type AgentTool, groupBy } from "../../model/index.ts";
import { sameTools } from "../same-tools.ts";
import { pairId } from "../tool-name.ts";
import { fuseRanks } from "./fuse-ranks.ts";
import { SearchIndex } from "./search-index.ts";

/** How many tools to find, and where. */
export interface FindOptions {
  readonly most: number;
  /** Finds only tools of this server. */
  readonly server?: string;
}

/** What was learned from calls after similar searches. */
export interface SearchMemory {
  /** Returns how well each tool is proven for such queries, from 0 to 1, by `pairId`. */
  learned(queries: readonly string[]): ReadonlyMap<string, number>;
  /** Called with a search's results. */
  searched(queries: readonly string[], found: readonly AgentTool[]): void;
}

/** Finds tools that match one or more phrasings of a query, best match first. */
export type ToolFinder = (
  tools: readonly AgentTool[],
  queries: readonly string[],
  options: FindOptions,
) => Promise<AgentTool[]>;

/** How many results of each phrasing are merged, at least. */
const FUSED = 30;
/** How much more a place counts for tools of a server that a phrasing names. */
const NAMED = 1.3;
/** The weight of a tool that was always called after such a search, relative to the first place in every phrasing. */
const LEARNED = 1;
const TOOLS_PER_TURN = 100;

/** The tools of the last search. */
interface Known {
  readonly tools: readonly AgentTool[];
  readonly index: Promise<SearchIndex<AgentTool>>;
  /** The tools by `pairId`. */
  byId?: ReadonlyMap<string, AgentTool>;
}

/**
 * Creates a finder. Builds the index at the first search, and updates it when the tools of a server change. Lets other work run while it
 * does so.
 */
export function createToolFinder(nextTurn: () => Promise<void>, memory?: SearchMemory): ToolFinder {
  let known: Known | undefined;
  return async (tools, queries, { most, server }) => {
    if (known === undefined) known = { tools, index: add(new SearchIndex(), tools, nextTurn) };
    else if (!sameTools(known.tools, tools)) {
      const { tools: before, index } = known;
      known = { tools, index: index.then((old) => update(old, before, tools, nextTurn)) };
    }
    const current = known;
    const index = await current.index;
    const accepts = server === undefined ? undefined : (tool: AgentTool) => tool.server === server;
    const depth = queries.length === 1 ? most : Math.max(most, FUSED);
    const lists = queries.map((query) => index.search(query, depth, accepts).map(({ item }) => item));
    const { named, bare } = splitServers(queries, tools);
    const bonuses = new Map<AgentTool, number>();
    for (const [id, proof] of memory?.learned(bare) ?? []) {
      current.byId ??= new Map(index.items().map((item) => [pairId(item), item]));
      const item = current.byId.get(id);
      if (item === undefined || accepts?.(item) === false) continue;
      if (named.size === 0 || named.has(item.server)) bonuses.set(item, LEARNED * proof);
    }
    const fused = fuseRanks(lists, (tool) => (named.has(tool.server) ? NAMED : 1), bonuses);
    const places = new Map(fused.map(({ name }, place) => [name, place]));
    const newest = tools.filter(({ name }) => places.has(name)); // the index may have older objects
    newest.sort((left, right) => (places.get(left.name) ?? 0) - (places.get(right.name) ?? 0));
    const found = newest.slice(0, most);
    memory?.searched(bare, found);
    return found;
  };
}

/**
 * Returns the servers whose names begin a query, which are meant in the other phrasings too, and the queries without those names, because
 * they do not say which of a server's tools is meant.
 */
function splitServers(
  queries: readonly string[],
  tools: readonly AgentTool[],
): { readonly named: ReadonlySet<string>; readonly bare: readonly string[] } {
  const named = new Set<string>();
  const servers = [...new Set(tools.map(({ server }) => server))].map((server) => ({
    server,
    start: `${plain(server)} `,
  }));
  const bare = queries.map((query) => {
    const text = `${plain(query)} `;
    const mine = servers.filter(({ start }) => text.startsWith(start));
    for (const { server } of mine) named.add(server);
    return text.slice(Math.max(0, ...mine.map(({ start }) => start.length)));
  });
  return { named, bare };
}

function plain(text: string): string {
  return text
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Replaces the tools of the servers that changed. */
async function update(
  index: SearchIndex<AgentTool>,
  before: readonly AgentTool[],
  now: readonly AgentTool[],
  nextTurn: () => Promise<void>,
): Promise<SearchIndex<AgentTool>> {
  const [old, current] = [groupBy(before, ({ server }) => server), groupBy(now, ({ server }) => server)];
  const changed = [...new Set([...old.keys(), ...current.keys()])].filter(
    (server) => !sameTools(old.get(server) ?? [], current.get(server) ?? []),
  );
  for (const server of changed) index.remove(server);
  if (index.isSparse) return add(new SearchIndex(), now, nextTurn);
  for (const server of changed) await add(index, current.get(server) ?? [], nextTurn);
  return index;
}

async function add(
  index: SearchIndex<AgentTool>,
  tools: readonly AgentTool[],
  nextTurn: () => Promise<void>,
): Promise<SearchIndex<AgentTool>> {
  for (let start = 0; start < tools.length; start += TOOLS_PER_TURN) {
    if (start > 0) await nextTurn();
    index.add(tools.slice(start, start + TOOLS_PER_TURN));
  }
  return index;
}
