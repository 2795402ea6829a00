import type { AgentTool, Server, ToolDefinition } from "../../model/index.ts";
import type { PinEffects } from "../approvals/tool-pins.ts";
import type { Inventory } from "../lifecycle/read-inventory.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { listAllTools, usableServers } from "./list-tools.ts";

/** The source of one server's tools. */
interface Basis {
  readonly server: Server;
  readonly tools: readonly ToolDefinition[];
  readonly isStale: boolean;
  readonly cachedAt: number | undefined;
  readonly standing: PinEffects | undefined;
}

/** The tools of the last search, and everything that they depend on. */
interface SearchedTools {
  readonly inventory: Inventory;
  readonly bases: readonly Basis[];
  readonly tools: readonly AgentTool[];
}

/** Keyed by workspace, so that people never see each other's tools. */
const searched = new WeakMap<Workspace, SearchedTools>();

/**
 * Lists the tools of all servers. Returns the same array while nothing has changed, because converting thousands of tools takes longer
 * than searching them. The policy check of every call does not use it.
 */
export async function toolsToSearch(
  workspace: Workspace,
  waitMs: number | undefined,
): Promise<readonly AgentTool[]> {
  const known = searched.get(workspace);
  if (known !== undefined && (await isCurrent(workspace, known))) return known.tools;
  const inventory = workspace.inventory();
  const tools = await listAllTools(workspace, { waitMs });
  const bases = await readBases(workspace, inventory);
  if (bases === undefined) searched.delete(workspace);
  else searched.set(workspace, { inventory, bases, tools });
  return tools;
}

async function isCurrent(workspace: Workspace, { inventory, bases }: SearchedTools): Promise<boolean> {
  if (workspace.inventory() !== inventory) return false;
  const now = await Promise.all(bases.map(({ server }) => readBasis(workspace, server)));
  return bases.every((basis, at) => isSame(basis, now[at]));
}

/** Returns `undefined` if a list is missing. The next search must then try to read it. */
async function readBases(workspace: Workspace, inventory: Inventory): Promise<Basis[] | undefined> {
  const usable = usableServers(workspace, {});
  const bases = await Promise.all(usable.map((server) => readBasis(workspace, server)));
  const known = bases.filter((basis) => basis !== undefined);
  return known.length === usable.length && workspace.inventory() === inventory ? known : undefined;
}

/** Also starts reading lists that have expired, as listing the tools does. */
async function readBasis({ catalogs, pins }: Workspace, server: Server): Promise<Basis | undefined> {
  const known = await catalogs.current(catalogSubject(server));
  if (known === undefined) return undefined;
  const { tools } = known.catalog;
  const standing = pins.standingNow(server, tools);
  return { server, tools, isStale: known.stale.tools, cachedAt: known.cachedAt, standing };
}

function isSame(before: Basis, now: Basis | undefined): boolean {
  return (
    now !== undefined &&
    now.standing !== undefined &&
    before.tools === now.tools &&
    before.isStale === now.isStale &&
    before.cachedAt === now.cachedAt &&
    before.standing === now.standing
  );
}
