import { canonicalJson, type Server } from "../../model/index.ts";
import { catalogSubject, decide, type ReloadOptions, type Workspace } from "../workspace.ts";
import { compareInventories } from "./read-inventory.ts";
import { startEager } from "./start-eager.ts";

/**
 * Reads the config files again. Stops changed servers and restarts those that were in use. Other servers keep running. A server that had
 * failed is idle if its entry changed, because the failure may be fixed.
 */
export async function reloadServers(
  workspace: Workspace,
  { hard = false, connect = true }: ReloadOptions = {},
): Promise<void> {
  const { supervisor, accounts } = workspace;
  const inUse = new Set(supervisor.inUse());
  const closeAll = (names: Iterable<string>): Promise<unknown> =>
    Promise.all([...names].flatMap((name) => [supervisor.close(name), accounts.close(name)]));
  if (hard) await closeAll(new Set([...inUse, ...workspace.inventory().servers.keys()]));
  const { before, after } = await workspace.readAgain();
  const { gone, fresh, bundled } = compareInventories(before, after, workspace.trustProject);
  const fixed = [...after.servers.values()].filter(
    ({ name, declaration }) =>
      /^(?:failed|needs_)/.test(supervisor.state(name)?.kind ?? "") &&
      canonicalJson(declaration.fields) !==
        canonicalJson(before.servers.get(name)?.declaration.fields ?? null),
  );
  await closeAll([...gone, ...fixed.map(({ name }) => name)]);
  if (hard) await forgetLists(workspace, [...before.servers.values(), ...after.servers.values()]);
  const again = [...after.servers.values()].filter(
    ({ name }) => connect && inUse.has(name) && (hard || fresh.includes(name)),
  );
  const connected = Promise.all(again.map((server) => reconnect(workspace, server)));
  if (connect) startEager(workspace, hard ? [...after.servers.keys()] : fresh);
  if (hard) await connected;
  const changed = [...again, ...fixed].map(({ name }) => name);
  for (const server of new Set([...gone, ...fresh, ...bundled, ...changed])) workspace.toolsChanged(server);
}

async function forgetLists({ catalogs }: Workspace, servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => catalogs.forget(catalogSubject(server))));
}

/** Ignores failures, because the server's state shows them. */
async function reconnect(workspace: Workspace, server: Server): Promise<void> {
  if (!decide(workspace, server).allowed) return;
  await workspace.catalogs.refresh(catalogSubject(server)).catch(() => undefined);
}
