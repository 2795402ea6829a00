import { dirname } from "node:path";
import { findInstalledPackages } from "../../connection/index.ts";
import { isJsonObject, Secret, type ServerEntry } from "../../model/index.ts";
import { mapYielding } from "../../platform/index.ts";
import { describeProfile } from "../../sandbox/index.ts";
import { packageOfLaunch } from "../../supply/index.ts";
import { unpinnedPackages } from "../approvals/unpinned-packages.ts";
import { describeServer, describeShadowed, type ServerView } from "../describe/describe-server.ts";
import { stateOf, type Workspace } from "../workspace.ts";
import { readPackageRecord } from "./package-record.ts";
import type { InventoryItem, InventoryPackage, ServerInventory } from "./supply-api.ts";

/** A tree with more packages is listed only up to here. */
const MOST_PACKAGES = 5_000;

/** Lists every server that any tool's config files define here, with its packages. Starts nothing. */
export async function takeInventory(workspace: Workspace): Promise<ServerInventory> {
  const servers = [...workspace.inventory().servers.values()];
  const entries = servers.flatMap((server): (readonly [ServerEntry, ServerView])[] => [
    [server, describeServer(server, stateOf(workspace, server))],
    ...server.shadowed.map((entry) => [entry, describeShadowed(workspace, entry, server)] as const),
  ]);
  const items = await mapYielding(entries, ([entry, view]) => toItem(workspace, entry, view));
  const here = new Set(items.map(({ source }) => source.file));
  const elsewhere = workspace
    .inventory()
    .approvals.map(({ file }) => file)
    .filter((file) => !here.has(file));
  return { servers: items, elsewhere: [...new Set(elsewhere.map((file) => dirname(file)))].sort() };
}

async function toItem(workspace: Workspace, entry: ServerEntry, view: ServerView): Promise<InventoryItem> {
  const { name, transport, state, source, tier, enabled, command, args, url, shadowedBy } = view;
  const { launch } = entry;
  const isLocal = launch?.transport === "stdio";
  const packages = isLocal ? await packagesOf(workspace, entry) : {};
  return {
    name,
    source,
    tier,
    state,
    enabled,
    isUsed: shadowedBy === undefined,
    ...(transport !== undefined && { transport }),
    ...(command !== undefined && { command }),
    ...(args !== undefined && { args }),
    ...(url !== undefined && { url }),
    ...(isLocal && {
      sandbox:
        launch.sandbox === undefined ? "none" : describeProfile(launch.sandbox, workspace.environment.home),
      unpinned: unpinnedPackages([...(launch.wrap ?? []), launch.command, ...launch.args]),
    }),
    ...packages,
  };
}

async function packagesOf(
  workspace: Workspace,
  entry: ServerEntry,
): Promise<Pick<InventoryItem, "package" | "dependencies">> {
  const { launch } = entry;
  if (launch?.transport !== "stdio") return {};
  const { ports, environment } = workspace;
  const { command, args, cwd, inheritEnv = false } = launch;
  const named = packageOfLaunch([command, ...args]);
  if (named === undefined) return {};
  const { ecosystem, name, version } = named;
  const env = new Map(Object.entries(launch.env).map(([key, value]) => [key, new Secret(value)]));
  const asked = { transport: "stdio", command, args, cwd, env, inheritEnv } as const;
  const tree =
    ecosystem === "npm" ? await findInstalledPackages(asked, { ...ports, environment }) : undefined;
  const installed = Object.entries(tree ?? {})
    .slice(0, MOST_PACKAGES)
    .flatMap(([key, facts]) => toPackage(key, facts));
  const own = installed.find((each) => each.name === name);
  const record = await readPackageRecord(workspace, { ...entry, shadowed: [] });
  const facts = record?.packages.find((each) => each.name === name && each.version === own?.version);
  return {
    package: {
      ecosystem,
      name,
      ...(version !== undefined && { version }),
      ...own,
      ...(facts?.publishedAt !== undefined && { publishedAt: facts.publishedAt }),
      ...(facts?.provenance !== undefined && { provenance: facts.provenance }),
    },
    dependencies: installed.filter((each) => each !== own),
  };
}

/** Reads one package of npm's hidden lock file. */
function toPackage(key: string, facts: unknown): InventoryPackage[] {
  const at = key.lastIndexOf("node_modules/");
  const { name, version, integrity } = isJsonObject(facts) ? facts : {};
  if (at === -1 || typeof version !== "string") return [];
  return [
    {
      ecosystem: "npm",
      name: typeof name === "string" ? name : key.slice(at + "node_modules/".length),
      version,
      ...(typeof integrity === "string" && { integrity }),
    },
  ];
}
