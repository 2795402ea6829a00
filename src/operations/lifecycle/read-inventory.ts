import { DEFAULT_SETTINGS, loadSettings, type Settings } from "../../config/index.ts";
import { type DiscoverContext, type Discovery, discover, PROVIDER_IDS } from "../../discovery/index.ts";
import { interpret, mergeEntries } from "../../inventory/index.ts";
import {
  type Bundle,
  canonicalJson,
  type Problem,
  type Profile,
  type Server,
  type ServerDeclaration,
  type ServerEntry,
} from "../../model/index.ts";
import { forEachYielding } from "../../platform/index.ts";
import { approvalStatus, decideServer, type GivenApproval, launchHash } from "../../policy/index.ts";
import type {
  AllowedCall,
  AllowedCallRecords,
  AllowedCalls,
  ApprovalRecords,
  Approvals,
} from "../../state/index.ts";
import { withChosenSandboxes } from "../approvals/chosen-sandbox.ts";
import { withEnvFiles } from "../approvals/entry-env-file.ts";

/** The settings, servers and approvals at one moment. */
export interface Inventory {
  readonly settings: Settings;
  readonly servers: ReadonlyMap<string, Server>;
  readonly approvals: readonly GivenApproval[];
  /** The tools that the user always allows. */
  readonly allowedCalls: readonly AllowedCall[];
  readonly bundles: readonly Bundle[];
  readonly profiles: readonly Profile[];
  readonly problems: readonly Problem[];
  /** The config files that exist. */
  readonly files: readonly string[];
  /** All paths that were checked, to watch them for changes. */
  readonly looked: readonly string[];
  /** What the config files declare, for the inventories of other principals. */
  readonly declared: Declared;
}

/** What the config files declare, before approvals decide which entry gets a name. */
export interface Declared {
  readonly settings: Settings;
  readonly entries: readonly ServerEntry[];
  readonly found: Discovery;
  readonly problems: readonly Problem[];
}

/** Where an inventory is read from. */
export interface InventorySource extends Omit<DiscoverContext, "settings"> {
  /** The program's settings. They override the settings file. */
  readonly givenSettings: Partial<Settings>;
  /** The program's servers. They take precedence over all config files. */
  readonly given: readonly ServerDeclaration[];
  /** The program's servers that are used unless another declaration has their name. */
  readonly fallback?: readonly ServerDeclaration[];
  /** `false` reads no config files. */
  readonly discover: boolean;
  /** Returns what an administrator declares. It replaces all config files, and the settings file. */
  managed?(): Discovery;
  readonly trustProject: boolean;
  readonly approvals: ApprovalRecords;
  readonly allowedCalls: AllowedCallRecords;
  /** Time limit for connecting and for calls, in milliseconds. Overrides the limits in all entries. */
  readonly overrideMs?: number | undefined;
}

const NOTHING: Discovery = {
  declarations: [],
  switches: { disabled: [], enabled: [] },
  resolveInProject: [],
  bundles: [],
  profiles: [],
  problems: [],
  files: [],
  looked: [],
};

/** Reads settings and config files and returns the servers. Starts nothing. */
export async function readInventory(source: InventorySource): Promise<Inventory> {
  const { ports, places, givenSettings, given } = source;
  const { settings, problems } =
    source.managed === undefined
      ? await loadSettings(ports, places, givenSettings, PROVIDER_IDS)
      : { settings: { ...DEFAULT_SETTINGS, ...givenSettings }, problems: [] };
  const [stored, allowed] = await Promise.all([source.approvals.read(), source.allowedCalls.read()]);
  const countAllReaders = stored.list.some(({ version }) => version === 1);
  const found =
    source.managed?.() ??
    (source.discover ? await discover({ ...source, settings, countAllReaders }) : NOTHING);
  const { variables } = source.environment;
  const defaults = { ...settings, variables, overrideMs: source.overrideMs };
  const entries: ServerEntry[] = [];
  const declarations = [...given, ...found.declarations];
  const names = new Set(declarations.map(({ name }) => name));
  const fallback = source.fallback?.filter(({ name }) => !names.has(name)) ?? [];
  await forEachYielding([...declarations, ...fallback], (declaration) => {
    entries.push(interpret(declaration, defaults));
    return true;
  });
  const declared = { settings, entries, found, problems: [...problems, ...found.problems] };
  return withApprovals(source, declared, stored, allowed);
}

/** Reads which of the declared entries a principal may use. */
export async function readInventoryFor(
  source: InventorySource,
  declared: Declared,
  { approvals, allowedCalls }: Pick<InventorySource, "approvals" | "allowedCalls">,
): Promise<Inventory> {
  return withApprovals(source, declared, await approvals.read(), await allowedCalls.read());
}

async function withApprovals(
  source: InventorySource,
  declared: Declared,
  stored: Approvals,
  allowed: AllowedCalls,
): Promise<Inventory> {
  const entries = withChosenSandboxes(declared.entries, stored.list);
  const { approvals, looked } = await withEnvFiles(source, entries, stored.list);
  const { problems, ...inventory } = inventoryWith(source, declared, approvals);
  return {
    ...inventory,
    allowedCalls: allowed.list,
    problems: [...problems, ...stored.problems, ...allowed.problems],
    looked: [...inventory.looked, ...looked],
  };
}

/** Returns the servers if exactly these approvals were given. */
export function inventoryWith(
  { trustProject, places, approvals: { file }, allowedCalls }: InventorySource,
  declared: Declared,
  approvals: readonly GivenApproval[],
): Inventory {
  const { settings, found, problems } = declared;
  const entries = withChosenSandboxes(declared.entries, approvals);
  const servers = mergeEntries(entries, {
    isApproved: (entry) => trustProject || approvalStatus(entry, approvals).kind === "approved",
    disabled: new Set(found.switches.disabled),
    enabled: new Set(found.switches.enabled),
    profile: found.profiles.find(({ active }) => active),
    resolveInProject: new Set(found.resolveInProject),
  });
  return {
    settings,
    servers: new Map(servers.map((server) => [server.name, server])),
    approvals,
    allowedCalls: [],
    bundles: found.bundles,
    profiles: found.profiles,
    problems,
    files: found.files,
    looked: [places.settings, ...(file === undefined ? [] : [file]), allowedCalls.file, ...found.looked],
    declared,
  };
}

/**
 * Returns what a reload changed. `gone`: servers that must stop. `fresh`: servers that may run now and could not before, or not with
 * this launch. `bundled`: servers whose bundles changed.
 */
export function compareInventories(
  before: Inventory,
  after: Inventory,
  trustProject: boolean,
): { gone: string[]; fresh: string[]; bundled: string[] } {
  const usable = ({ servers, approvals }: Inventory, name: string): string | undefined => {
    const server = servers.get(name);
    if (server === undefined || !decideServer(server, { approvals, trustProject }).allowed) return undefined;
    // The same launch can mean another program in another file or under another tool's rules.
    return [
      launchHash(server),
      canonicalJson(server.defaultSandbox ?? null),
      server.provenance.tool,
      server.provenance.file,
      server.resolveInProject,
    ].join(" ");
  };
  const names = [...new Set([...before.servers.keys(), ...after.servers.keys()])];
  const changed = names.filter((name) => usable(before, name) !== usable(after, name));
  return {
    gone: changed.filter((name) => usable(before, name) !== undefined),
    fresh: changed.filter((name) => usable(after, name) !== undefined),
    bundled: names.filter((name) => bundlesFor(before, name) !== bundlesFor(after, name)),
  };
}

/** Returns one server's bundles as text, without the places where they are defined. */
function bundlesFor({ bundles }: Inventory, name: string): string {
  const mine = bundles.filter(({ server }) => server === name);
  return canonicalJson(mine.map(({ source: _, ...bundle }) => ({ ...bundle })));
}
