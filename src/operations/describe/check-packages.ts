import { findBrokenTree, removeBrokenTree } from "../../connection/index.ts";
import { Secret, type Server } from "../../model/index.ts";
import { allInTurns } from "../../platform/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { decide, type Workspace } from "../workspace.ts";

/** A server's package that an interrupted installation left incomplete in npm's cache. */
export interface BrokenPackage {
  readonly server: string;
  readonly package: string;
  /** The folder that npm left behind. */
  readonly folder: string;
  readonly because: string;
}

type Found = BrokenPackage & { readonly tree: NonNullable<Awaited<ReturnType<typeof findBrokenTree>>> };

/** Looks at the packages of servers that may run. Starts nothing. */
export async function checkPackages(workspace: Workspace, only?: string): Promise<BrokenPackage[]> {
  return (await findAll(workspace, only)).map(({ tree: _, ...broken }) => broken);
}

/** Removes what interrupted installations left in npm's cache, so that the next start installs it again. Returns what was removed. */
export async function repairPackages(workspace: Workspace, only?: string): Promise<BrokenPackage[]> {
  const { ports, environment, over: signal } = workspace;
  const repaired: BrokenPackage[] = [];
  for (const { tree, ...broken } of await findAll(workspace, only))
    if (await removeBrokenTree(tree, { ports, environment, signal })) repaired.push(broken);
  return repaired;
}

async function findAll(workspace: Workspace, only: string | undefined): Promise<Found[]> {
  const servers =
    only === undefined ? [...workspace.inventory().servers.values()] : [findServer(workspace, only)];
  const found = await allInTurns(servers, (server) => findIn(workspace, server));
  const folders = new Set<string>();
  return found.flat().filter(({ folder }) => !folders.has(folder) && folders.add(folder));
}

/** By the entry as written: values that are filled in seldom change which package is meant. */
async function findIn(workspace: Workspace, server: Server): Promise<Found[]> {
  const { ports, environment } = workspace;
  const { name, launch } = server;
  if (launch?.transport !== "stdio" || !decide(workspace, server).allowed) return [];
  const { command, args, cwd, inheritEnv = false, wrap = [] } = launch;
  const env = new Map(Object.entries(launch.env).map(([key, value]) => [key, new Secret(value)]));
  const tree = await findBrokenTree(
    { transport: "stdio", command, args, cwd, env, inheritEnv },
    { ...ports, environment, wrapLength: wrap.length },
  );
  if (tree === undefined) return [];
  const { installation, folder, because } = tree;
  return [{ server: name, package: installation.package, folder, because, tree }];
}
