import { readCatalog } from "../../catalog/index.ts";
import { HostError, messageOf, type Server } from "../../model/index.ts";
import { mapYielding } from "../../platform/index.ts";
import { comparePins, type ToolDifference } from "../../policy/index.ts";
import { compareVersions, type LaunchPackage, packageOfLaunch, withVersion } from "../../supply/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { onServer } from "../lifecycle/on-server.ts";
import { openServer } from "../lifecycle/open-server.ts";
import { type EditedServer, editServer } from "../native-files/edit-server.lazy.ts";
import { catalogSubject, decide, type Workspace } from "../workspace.ts";
import { requestReleases } from "./request-releases.ts";
import type { PackageUpdate, UpdateOptions, UpgradeRequest } from "./supply-api.ts";

/** Asks the package indexes which servers have a newer version. Starts nothing. */
export async function findUpdates(
  workspace: Workspace,
  { server: name, signal }: UpdateOptions,
): Promise<readonly PackageUpdate[]> {
  const servers =
    name === undefined
      ? [...workspace.inventory().servers.values()].filter((server) => decide(workspace, server).allowed)
      : [findServer(workspace, name)];
  const packages = servers.flatMap((server) => {
    const named = packageOf(server);
    return named === undefined ? [] : [{ server, named }];
  });
  if (name !== undefined && packages.length === 0) throw withoutPackage(name);
  return mapYielding(packages, ({ server, named }) => findUpdate(workspace, server, named, signal));
}

async function findUpdate(
  workspace: Workspace,
  { name: server }: Server,
  named: LaunchPackage,
  signal: AbortSignal | undefined,
): Promise<PackageUpdate> {
  const { ecosystem, name, version, isExact } = named;
  const update = { server, ecosystem, package: name, ...(version !== undefined && { version }) };
  if (ecosystem === "oci")
    return { ...update, state: "unknown", reason: "versions of container images are not checked" };
  try {
    const { latest, deprecated } = await requestReleases(workspace, named, signal);
    if (latest === undefined)
      return { ...update, state: "unknown", reason: "the package index has no released version" };
    const known = { ...update, latest, ...(deprecated !== undefined && { deprecated }) };
    if (!isExact || version === undefined) return { ...known, state: "unpinned" };
    const order = compareVersions(version, latest);
    if (order === undefined)
      return { ...known, state: "unknown", reason: `"${version}" and "${latest}" cannot be compared` };
    return { ...known, state: order < 0 ? "outdated" : "current" };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { ...update, state: "unknown", reason: messageOf(error), failed: true };
  }
}

/**
 * Starts another version of a server once, and compares its tools with the current ones. The caller decides that the version may run:
 * nothing is approved or written.
 */
export function compareVersionTools(
  workspace: Workspace,
  { server: name, version, signal }: UpgradeRequest,
): Promise<ToolDifference[]> {
  return onServer(workspace, { server: name, signal }, async ({ use }) => {
    const server = await use();
    const { catalog: before } = await workspace.catalogs.get(catalogSubject(server));
    const other = { ...withPackageVersion(server, version), name: `${name}@${version}` };
    const inventory = workspace.inventory();
    const servers = new Map(inventory.servers).set(other.name, other);
    const trial: Workspace = {
      ...workspace,
      trustProject: true,
      inventory: () => ({ ...inventory, servers }),
    };
    const connection = await openServer(trial, other.name, { signal: signal ?? workspace.closeSignal });
    try {
      const { clock } = workspace.ports;
      const now = (): number => clock.now();
      const { tools } = await readCatalog(connection, {
        kinds: ["tools"],
        timeoutMs: other.timeoutMs,
        now,
        elapsed: now,
        before: undefined,
      });
      return comparePins(new Map(before.tools.map((tool) => [tool.name, tool])), tools);
    } finally {
      await connection.close();
    }
  });
}

/** Changes the version in the server's entry. */
export function upgradeServer(
  workspace: Workspace,
  { server: name, version, dryRun = false }: UpgradeRequest & { readonly dryRun?: boolean },
): Promise<EditedServer> {
  const { launch } = withPackageVersion(findServer(workspace, name), version);
  const args = launch?.transport === "stdio" ? [...launch.args] : [];
  return editServer(workspace, { name, changes: [{ path: ["args"], value: args }], dryRun });
}

function withPackageVersion(server: Server, version: string): Server {
  const { launch, name, declaration } = server;
  if (launch?.transport !== "stdio") throw withoutPackage(name);
  const [command, ...args] = withVersion([launch.command, ...launch.args], version) ?? [];
  if (command === undefined || command !== launch.command) throw withoutPackage(name);
  const fields = { ...declaration.fields, args };
  return { ...server, launch: { ...launch, args }, declaration: { ...declaration, fields } };
}

function packageOf({ launch }: Server): LaunchPackage | undefined {
  return launch?.transport === "stdio" ? packageOfLaunch([launch.command, ...launch.args]) : undefined;
}

function withoutPackage(server: string): HostError {
  return new HostError(
    "SERVER_INVALID",
    `Server "${server}" does not run a package whose version can change.`,
    {
      server,
    },
  );
}
