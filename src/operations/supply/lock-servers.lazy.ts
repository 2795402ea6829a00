import { dirname, join } from "node:path";
import { problemIn, readDocument } from "../../config/index.ts";
import { findInstalledPackages } from "../../connection/index.ts";
import { updateFile } from "../../documents/index.ts";
import { isJsonObject, type Problem, Secret, type Server } from "../../model/index.ts";
import { mapYielding } from "../../platform/index.ts";
import { launchHash, toolHash } from "../../policy/index.ts";
import {
  compareLocks,
  type LockEntry,
  type LockFile,
  packageOfLaunch,
  readLockFile,
  writeLockFile,
} from "../../supply/index.ts";
import { chosenSandbox } from "../approvals/chosen-sandbox.ts";
import { assertInsideProject } from "../native-files/assert-inside-project.ts";
import { nativeFile, type WriteScope } from "../native-files/native-files.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import type { LockCheck, LockOptions, WrittenLock } from "./supply-api.ts";

const LOCK_FILE = "mcp.lock.json";

/** Writes the lock file of a project or of the user. */
export async function lockServers(
  workspace: Workspace,
  { scope = "project" }: LockOptions,
): Promise<WrittenLock> {
  const file = await lockFilePath(workspace, scope);
  const servers = await currentLock(workspace, scope);
  await updateFile(workspace.ports, file, () => writeLockFile(servers));
  const names = Object.keys(servers).sort();
  return {
    file,
    servers: names,
    withoutTools: names.filter((name) => servers[name]?.tools === undefined),
  };
}

/** Compares the servers with the lock file. */
export async function verifyServers(
  workspace: Workspace,
  { scope = "project" }: LockOptions,
): Promise<LockCheck> {
  const file = await lockFilePath(workspace, scope);
  const { document, exists, problems: unreadable } = await readDocument(workspace.ports.files, file);
  const problems: Problem[] = [...unreadable];
  if (!exists) problems.push(problemIn(file, "file-missing", "does not exist", undefined));
  if (document === undefined) return { file, matches: false, differences: [], problems };
  const read = readLockFile(document);
  for (const { message, at } of read.problems) problems.push(problemIn(file, "file-shape", message, at));
  const differences =
    problems.length > 0 ? [] : compareLocks(read.servers, await currentLock(workspace, scope));
  return { file, matches: problems.length === 0 && differences.length === 0, differences, problems };
}

/** Returns the path of the lock file of a project or of the user. */
export async function lockFilePath(workspace: Workspace, scope: WriteScope): Promise<string> {
  const config = await nativeFile(workspace, scope);
  if (scope === "user") return join(dirname(config), LOCK_FILE);
  const file = join(dirname(dirname(config)), LOCK_FILE);
  return assertInsideProject(workspace.ports.files, file, await workspace.projectFolders());
}

async function currentLock(workspace: Workspace, scope: WriteScope): Promise<LockFile> {
  const servers = [...workspace.inventory().servers.values()].filter(
    ({ provenance, launch }) =>
      (provenance.tier === "project") === (scope === "project") &&
      launch !== undefined &&
      launch.transport !== "in-process",
  );
  const entries = await mapYielding(
    servers,
    async (server) => [server.name, await toEntry(workspace, server)] as const,
  );
  return Object.fromEntries(entries);
}

async function toEntry(workspace: Workspace, server: Server): Promise<LockEntry> {
  const known = await workspace.catalogs.peek(catalogSubject(server));
  const { sandbox } = server.declaration.fields; // recorded as written; the sandbox itself decides what it means
  const chosen = chosenSandbox(server, workspace.inventory().approvals);
  const found = await packageOf(workspace, server);
  return {
    launch: launchHash(server),
    ...(found !== undefined && { package: found }),
    ...(known !== undefined && {
      tools: Object.fromEntries(known.catalog.tools.map((tool) => [tool.name, toolHash(tool)])),
    }),
    ...(sandbox !== undefined && { sandbox }),
    ...(chosen !== undefined && { chosenSandbox: chosen }),
  };
}

/** Returns the package of a launch. The version and integrity are those in npm's cache, if it is installed there. */
async function packageOf(
  { ports, environment }: Workspace,
  { launch }: Server,
): Promise<LockEntry["package"]> {
  if (launch?.transport !== "stdio") return undefined;
  const { command, args, cwd, inheritEnv = false } = launch;
  const named = packageOfLaunch([command, ...args]);
  if (named === undefined) return undefined;
  const { ecosystem, name, version } = named;
  const env = new Map(Object.entries(launch.env).map(([key, value]) => [key, new Secret(value)]));
  const installed =
    ecosystem === "npm"
      ? await findInstalledPackages(
          { transport: "stdio", command, args, cwd, env, inheritEnv },
          { ...ports, environment },
        )
      : undefined;
  const found = installed?.[`node_modules/${name}`];
  const facts = isJsonObject(found) ? found : {};
  const locked = typeof facts["version"] === "string" ? facts["version"] : version;
  return {
    ecosystem,
    name,
    ...(locked !== undefined && { version: locked }),
    ...(typeof facts["integrity"] === "string" && { integrity: facts["integrity"] }),
  };
}
