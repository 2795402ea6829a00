import { findBrokenTree, removeBrokenTree } from "../../connection/index.ts";
import { Secret, type Server } from "../../model/index.ts";
import { mapYielding } from "../../platform/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { decide, type Workspace } from "../workspace.ts";

/** A server's package that an interrupted installation left incomplete in npm's cache. */
export interface BrokenPackage {
  /** The server's name. */
  readonly server: string;
  /** The package as the entry names it. */
  readonly package: string;
  /** The incomplete folder in npm's cache. */
  readonly folder: string;
  /** The problem with the folder. */
  readonly because: string;
}

type Found = BrokenPackage & { readonly tree: NonNullable<Awaited<ReturnType<typeof findBrokenTree>>> };

/** Finds incomplete packages of servers that may run. Starts nothing. */
export async function checkPackages(workspace: Workspace, only?: string): Promise<BrokenPackage[]> {
  return (await findAll(workspace, only)).map(({ tree: _, ...broken }) => broken);
}

/** Removes incomplete packages from npm's cache, so that the next start installs them again. Returns the removed ones. */
export async function repairPackages(workspace: Workspace, only?: string): Promise<BrokenPackage[]> {
  const { ports, environment, closeSignal: signal } = workspace;
  const repaired: BrokenPackage[] = [];
  for (const { tree, ...broken } of await findAll(workspace, only))
    if (await removeBrokenTree(tree, { ports, environment, signal })) repaired.push(broken);
  return repaired;
}

async function findAll(workspace: Workspace, only: string | undefined): Promise<Found[]> {
  const servers =
    only === undefined ? [...workspace.inventory().servers.values()] : [findServer(workspace, only)];
  const found = await mapYielding(servers, (server) => findIn(workspace, server));
  const folders = new Set<string>();
  return found.flat().filter(({ folder }) => !folders.has(folder) && folders.add(folder));
}

/** Uses the entry as written, because resolved values rarely change the package. */
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
