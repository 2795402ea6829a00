import { dirname } from "node:path";
import { HostError, messageOf } from "../../model/index.ts";
import { createOwnershipCheck } from "../../platform/index.ts";
import {
  approvalsOf,
  CACHE_LAYOUT,
  CONFIG_LAYOUT,
  createFileApprovals,
  type FolderContent,
  isLink,
  keychainEntry,
  type Layout,
  mergeLayouts,
  type OwnFiles,
  type RemovalFailure,
  readOwnFolder,
  removeIfEmpty,
  removeOwnFiles,
  STATE_LAYOUT,
} from "../../state/index.ts";
import type { Workspace } from "../workspace.ts";

/** Options for `host.doctor.planUninstall`. */
export interface UninstallOptions {
  /** Also remove the user's own config file and settings. Default: `false`. */
  readonly config?: boolean;
}

/** Everything that Plugboard keeps on this machine. */
export interface UninstallPlan {
  /** The state and cache folders that exist, with the number and total size of Plugboard's files in them. */
  readonly folders: readonly { readonly path: string; readonly files: number; readonly bytes: number }[];
  /** How many approvals are recorded. */
  readonly approvals: number;
  /** How many servers have pinned tools. */
  readonly pins: number;
  /** How many entries the vault has: sign-ins, secrets and registered clients. */
  readonly vaultEntries: number;
  /** How many sign-ins the vault has. Absent if the vault cannot be read. */
  readonly signIns?: number;
  /** How many secrets the vault has. Absent if the vault cannot be read. */
  readonly secrets?: number;
  /** Why the vault cannot be read. Absent if it can. */
  readonly vaultProblem?: string;
  /** The name of the keychain entry with the vault's key, in the service `plugboard`. Absent if the keychain is not used. */
  readonly keychainEntry?: string;
  /** The user's config and settings files, and whether they are removed too. */
  readonly config: { readonly files: readonly string[]; readonly removed: boolean };
  /** Files in these folders that Plugboard did not write, and links in place of its subfolders. They are kept. */
  readonly others: readonly string[];
  /** Folders that are not removed, and why. */
  readonly skipped: readonly RemovalFailure[];
}

/** The outcome of an uninstallation. */
export interface UninstallResult extends UninstallPlan {
  /** What could not be removed, and why. */
  readonly failures: readonly RemovalFailure[];
}

export async function planUninstall(
  workspace: Workspace,
  { config = false }: UninstallOptions,
): Promise<UninstallPlan> {
  const { ports, places } = workspace;
  const { used, skipped } = await findFolders(workspace, config);
  const found: { path: string; content: FolderContent }[] = [];
  for (const { path, layout } of used)
    if (layout !== CONFIG_LAYOUT)
      found.push({ path, content: await readOwnFolder(filesOf(workspace), path, layout) });
  const own = await readOwnFolder(filesOf(workspace), dirname(places.userConfig), CONFIG_LAYOUT);
  const files = found.flatMap(({ content }) => content.files.map(({ path }) => path));
  const vaultEntries = files.filter((path) => path.endsWith(".sealed")).length;
  const entry = keychainEntry(places);
  return {
    folders: found
      .filter(
        ({ content: { files: own, folders, others } }) =>
          own.length + folders.length > 0 || others.length === 0,
      )
      .map(({ path, content }) => ({
        path,
        files: content.files.length,
        bytes: content.files.reduce((sum, { bytes }) => sum + bytes, 0),
      })),
    approvals: (await approvalsOf(createFileApprovals(ports, places)).read()).list.length,
    pins: files.filter((path) => /[\\/]pins[\\/][0-9a-f]+\.jsonl$/.test(path)).length,
    vaultEntries,
    ...(vaultEntries === 0 ? { signIns: 0, secrets: 0 } : await countEntries(workspace)),
    ...(files.includes(entry.marker) && { keychainEntry: entry.name }),
    config: { files: own.files.map(({ path }) => path), removed: config },
    others: found.flatMap(({ content }) => content.others),
    skipped,
  };
}

/** Removes everything in the plan and everything written since. The host must be closed. */
export async function uninstall(workspace: Workspace, plan: UninstallPlan): Promise<UninstallResult> {
  const { ports, environment, places } = workspace;
  const files = filesOf(workspace);
  const { used, skipped } = await findFolders(workspace, plan.config.removed);
  const failures: RemovalFailure[] = [];
  let keep: string | undefined;
  const entry = keychainEntry(places);
  const state = used.find(({ path }) => path === places.state);
  const content = state && (await readOwnFolder(files, state.path, state.layout));
  if (content?.files.some(({ path }) => path === entry.marker) === true) {
    await ports.keychain.remove(entry.name).catch((error: unknown) => {
      keep = entry.marker; // so that the next attempt finds the keychain entry
      const reason = `the keychain entry "${entry.name}" could not be removed: ${messageOf(error)}`;
      failures.push({ path: entry.marker, reason });
    });
  }
  for (const { path, layout } of used) {
    failures.push(...(await removeOwnFiles(files, path, layout, keep)));
    if (layout !== CONFIG_LAYOUT) failures.push(...(await removeIfEmpty(files, path)));
  }
  const isMoved = Boolean(environment.variables["PLUGBOARD_HOME"]); // then the parent folder belongs to the user
  const parents = [
    dirname(places.userConfig),
    ...(environment.platform === "win32" ? [dirname(places.state)] : []),
  ];
  if (!isMoved) for (const path of parents) failures.push(...(await removeIfEmpty(files, path)));
  return { ...plan, skipped, failures };
}

interface UsedFolder {
  readonly path: string;
  readonly layout: Layout;
}

/** Returns the folders to remove files from. Skips folders that are links or that another user can write to. */
async function findFolders(
  workspace: Workspace,
  config: boolean,
): Promise<{ used: readonly UsedFolder[]; skipped: readonly RemovalFailure[] }> {
  const { environment, places } = workspace;
  const files = filesOf(workspace);
  const foreignWriter = createOwnershipCheck(files, environment);
  const folders: UsedFolder[] =
    places.state === places.cache
      ? [{ path: places.state, layout: mergeLayouts(STATE_LAYOUT, CACHE_LAYOUT) }]
      : [
          { path: places.state, layout: STATE_LAYOUT },
          { path: places.cache, layout: CACHE_LAYOUT },
        ];
  if (config) folders.push({ path: dirname(places.userConfig), layout: CONFIG_LAYOUT });
  const used: UsedFolder[] = [];
  const skipped: RemovalFailure[] = [];
  for (const folder of folders) {
    const { path } = folder;
    const facts = await files.owner(path);
    if (facts === undefined) continue;
    const reason = isLink(facts)
      ? `it is a link to ${facts.link}, and links are not followed`
      : await foreignWriter(path);
    if (reason === undefined) used.push(folder);
    else skipped.push({ path, reason });
  }
  return { used, skipped };
}

/** Counts sign-ins and secrets. This is not possible without the key or while the keychain is locked. */
async function countEntries(
  workspace: Workspace,
): Promise<Pick<UninstallPlan, "signIns" | "secrets" | "vaultProblem">> {
  try {
    const secrets = (await workspace.stores.secrets.list()).length;
    return { secrets, signIns: (await (await workspace.auth()).list()).length };
  } catch (error) {
    return { vaultProblem: messageOf(error) };
  }
}

function filesOf({ ports }: Workspace): OwnFiles {
  const { files } = ports;
  const { owner } = files;
  if (owner !== undefined) return { ...files, owner };
  throw new HostError("USAGE_INVALID", "The given files port has no owner(), so links cannot be recognized.");
}
