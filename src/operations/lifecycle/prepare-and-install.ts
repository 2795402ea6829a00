import {
  findInstalledPackages,
  type InstallPlan,
  type InstallSubject,
  installPackage,
  isUpdating,
  type OpeningStage,
  parseInstallOutput,
  planInstallation,
} from "../../connection/index.ts";
import {
  connectTimeout,
  isHostError,
  programName,
  Secret,
  type Server,
  safeLine,
  shortLine,
  truncate,
} from "../../model/index.ts";
import type { RunLog } from "../../state/index.ts";
import { packageOfLaunch, parseNpmSpec } from "../../supply/index.ts";
import type { ResolvedLaunch } from "../../values/index.ts";
import type { PackageGate } from "../supply/package-gate.lazy.ts";
import type { PackageRecord } from "../supply/package-record.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { installingLaunch } from "./installing-launch.ts";
import { isOffline, type PreparedLaunch, prepareLaunch } from "./prepare-launch.ts";
import type { StartLimit } from "./start-limit.ts";

type ResolvedStdio = Extract<ResolvedLaunch, { transport: "stdio" }>;
const POLL_MS = 500;
const LONGEST_LINE = 200;

/** The limits and callbacks of a start. */
export interface InstallContext {
  readonly signal: AbortSignal;
  readonly limit: StartLimit;
  readonly outsideTurn: OpeningStage["outsideTurn"];
}

/** A launch whose package is installed, if the package runner needs that. */
export interface InstalledLaunch extends PreparedLaunch {
  /** Stops watching the package runner. */
  stopWatching(): void;
  /** The packages that npx starts, as they were checked. */
  readonly record?: PackageRecord | undefined;
}

/** How long a version that a tag or range led to is used before npm looks for a newer one. */
const USED_FOR_MS = 86_400_000;

async function openGate(
  workspace: Workspace,
  server: Server,
  specs: readonly string[],
): Promise<PackageGate> {
  return (await import("../supply/package-gate.lazy.ts")).openPackageGate(workspace, server, specs);
}

/** Returns whether npx looks for a newer version at every start: for tags and ranges. */
function mayChange(spec: string): boolean {
  return parseNpmSpec(spec)?.isExact === false;
}

function wasInstalledLately(record: PackageRecord | undefined, now: number): boolean {
  const installedAt = Date.parse(record?.installedAt ?? "");
  return Number.isFinite(installedAt) && Math.abs(now - installedAt) < USED_FOR_MS;
}

/** Makes npx start the checked version of a tag or range. */
function held(prepared: PreparedLaunch, specs: readonly string[], gate: PackageGate): PreparedLaunch {
  if (prepared.packageId !== undefined || !specs.some(mayChange)) return prepared;
  const { launch, ...others } = withGateVariables(prepared, gate);
  const env = new Map([...launch.env, ["npm_config_prefer_offline", new Secret("true")]] as const);
  return { ...others, launch: { ...launch, env } };
}

/** npm passes these variables on to the server. */
function withGateVariables(prepared: PreparedLaunch, gate: PackageGate): PreparedLaunch {
  const added = Object.entries(gate.variables()).map(([name, value]) => [name, new Secret(value)] as const);
  const env = new Map([...prepared.launch.env, ...added]);
  return { ...prepared, launch: { ...prepared.launch, env } };
}

/** Prepares a launch and installs its package first if necessary. */
export async function prepareAndInstall(
  workspace: Workspace,
  server: Server,
  launch: ResolvedStdio,
  context: InstallContext,
): Promise<InstalledLaunch> {
  const { ports, environment, redactor } = workspace;
  const { eras } = workspace.stores;
  const nothing = (): void => {};
  const declared = server.launch?.transport === "stdio" ? server.launch : undefined;
  // Everything that runs in a container comes from its image.
  if (declared?.sandbox?.image !== undefined) return { launch, stopWatching: nothing };
  const prepared = await prepareLaunch(workspace, server, launch);
  if (prepared.packageId !== undefined) {
    const gate = await openGate(workspace, server, [prepared.packageId]);
    await gate.checkInstalled(prepared.packages ?? {}, [prepared.packageId]);
    return { ...prepared, stopWatching: nothing, record: gate.record() };
  }
  const installs = await installingLaunch(workspace, server, prepared.launch);
  const plan: InstallPlan =
    installs === undefined
      ? {}
      : await planInstallation(installs, {
          ...ports,
          environment,
          startsAs: prepared.launch,
          wrapLength: declared?.wrap?.length ?? 0,
          hasWorked: async () => (await eras.recall(catalogSubject(server).fingerprint)) !== undefined,
        });
  const { installation, updates, installed, isUnrecognized } = plan;
  const { limit } = context;
  const shown = ({ runner, package: name }: InstallSubject): InstallSubject => ({
    runner,
    package: truncate(safeLine(redactor.redactForServer(server.name, name)), LONGEST_LINE),
  });
  const words = [launch.command, ...launch.args];
  const usesPackage = packageOfLaunch(words) !== undefined || installation !== undefined;
  if (!usesPackage && updates === undefined && isUnrecognized !== true)
    return { ...prepared, stopWatching: nothing };
  const npx = updates ?? (installation?.kind === "npx" ? installation : undefined);
  const specs = npx?.line.packages ?? [];
  const gate = await openGate(workspace, server, specs);
  await gate.checkNames(words);
  const installNow = async (asked: NonNullable<typeof installation>): Promise<void> => {
    limit.beginInstalling(shown(asked));
    await context.outsideTurn(() => install(workspace, server, asked, { ...context, gate }));
    limit.endInstalling();
  };
  if (installation !== undefined) {
    await installNow(installation);
    const after = await prepareLaunch(workspace, server, launch, { anyVersion: isOffline(server) });
    return { ...held(after, specs, gate), stopWatching: nothing, record: gate.record() };
  }
  if (isUnrecognized === true) return { ...withGateVariables(prepared, gate), stopWatching: nothing };
  if (updates === undefined) return { ...prepared, stopWatching: nothing };
  if (installed !== undefined) {
    // npx would look for a newer version by itself, and start it unchecked.
    if (updates.line.packages.some(mayChange) && !wasInstalledLately(gate.record(), ports.clock.now()))
      await installNow({ ...updates, isRefresh: true }).catch((error: unknown) => {
        if (context.signal.aborted || limit.late.aborted || isHostError(error, "PACKAGE_REFUSED"))
          throw error;
        limit.endInstalling(); // without a network, the installed version is used
      });
    const tree = await findInstalledPackages(installs ?? prepared.launch, { ...ports, environment });
    await gate.checkInstalled(tree ?? installed, specs);
  }
  // Without a network, npx finds only what it looked up before with the same settings, and those may be in the hidden home folder.
  const present = isOffline(server)
    ? await prepareLaunch(workspace, server, launch, { anyVersion: true })
    : prepared;
  const starts = held(present, specs, gate);
  let isOver = false;
  let wasBusy = false;
  let stopTimer = nothing;
  const check = async (): Promise<void> => {
    const isBusy = await isUpdating(updates, ports, environment.platform);
    if (isOver) return;
    if (isBusy) limit.beginInstalling(shown(updates));
    else if (wasBusy) limit.endInstalling();
    wasBusy = isBusy;
    checkLater();
  };
  const checkLater = (): void => {
    stopTimer = ports.clock.after(POLL_MS, () => void check(), { background: true });
  };
  checkLater();
  return {
    ...starts,
    record: gate.record(),
    stopWatching() {
      isOver = true;
      stopTimer();
    },
  };
}

async function install(
  { ports, environment, redactor, places }: Workspace,
  server: Server,
  installation: Parameters<typeof installPackage>[0],
  { signal, limit, gate }: Omit<InstallContext, "outsideTurn"> & { readonly gate: PackageGate },
): Promise<void> {
  try {
    await installPackage(installation, {
      ports,
      environment,
      redactor,
      cache: places.cache,
      waitMs: server.installTimeoutMs,
      signal: AbortSignal.any([signal, limit.late]),
      gate,
      onLine: (line) => limit.show(line),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (limit.late.aborted) throw limit.error ?? connectTimeout(server, "its package was not installed");
    throw error;
  }
}

/** Wraps a process's log and detects from its lines when a package runner installs something. */
export function detectInstallation(
  log: RunLog,
  { launch }: PreparedLaunch,
  { limit, redactor }: { readonly limit: StartLimit; readonly redactor: Workspace["redactor"] },
): RunLog {
  return {
    end: (...end) => log.end(...end),
    saved: () => log.saved(),
    add(stream, text) {
      log.add(stream, text);
      if (limit.isOver) return;
      const sign = parseInstallOutput(text);
      if (sign?.isOver === true) limit.endInstalling();
      else if (sign !== undefined) {
        const { runner, package: name = programName(launch.command) } = sign;
        limit.beginInstalling({ runner, package: name });
      }
      if (limit.isInstalling) limit.show(shortLine(redactor.redact(text).trim(), LONGEST_LINE));
    },
  };
}
