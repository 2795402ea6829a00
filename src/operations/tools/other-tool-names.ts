import type { Catalog } from "../../catalog/index.ts";
import type { Server } from "../../model/index.ts";
import type { NameLookup } from "../../policy/index.ts";
import type { Inventory } from "../lifecycle/read-inventory.ts";
import { catalogSubject, decide, type Workspace } from "../workspace.ts";

/** Returns the cached tool names of the other servers that may run. Does not connect. */
export async function otherToolNames(workspace: Workspace, { name }: Server): Promise<NameLookup> {
  const all = await namesOfAll(workspace);
  const own = all.lists.get(name)?.tools ?? [];
  const mine = new Set(own.map((tool) => tool.name));
  const others = (word: string): number => (all.counts.get(word) ?? 0) - Number(mine.has(word));
  return { size: all.counts.size, has: (word) => others(word) > 0 };
}

interface AllNames {
  readonly lists: ReadonlyMap<string, Catalog>;
  /** How many servers have a tool with this name. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The last counts, reused until a list changes, because every server needs them. */
const lastCounted = new WeakMap<Inventory, AllNames>();

async function namesOfAll(workspace: Workspace): Promise<AllNames> {
  const inventory = workspace.inventory();
  const lists = await knownLists(workspace);
  const last = lastCounted.get(inventory);
  if (last !== undefined && isSame(last.lists, lists)) return last;
  const counts = new Map<string, number>();
  for (const { tools } of lists.values())
    for (const tool of new Set(tools.map(({ name }) => name))) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const all = { lists, counts };
  lastCounted.set(inventory, all);
  return all;
}

async function knownLists(workspace: Workspace): Promise<ReadonlyMap<string, Catalog>> {
  const { catalogs } = workspace;
  const subjects = [...workspace.inventory().servers.values()]
    .filter((server) => decide(workspace, server).allowed)
    .map(catalogSubject);
  const unread = subjects.filter((subject) => catalogs.inMemory(subject) === undefined);
  if (unread.length > 0) await Promise.all(unread.map((subject) => catalogs.peek(subject)));
  const lists = new Map<string, Catalog>();
  for (const subject of subjects) {
    const catalog = catalogs.inMemory(subject);
    if (catalog !== undefined) lists.set(subject.name, catalog);
  }
  return lists;
}

function isSame(left: ReadonlyMap<string, Catalog>, right: ReadonlyMap<string, Catalog>): boolean {
  if (left.size !== right.size) return false;
  for (const [name, catalog] of left) if (right.get(name) !== catalog) return false;
  return true;
}
