import {
  type InstallSubject,
  installPackage,
  isUpdating,
  type OpeningStage,
  parseInstallOutput,
  planInstallation,
} from "../../connection/index.ts";
import {
  connectTimeout,
  programName,
  type Server,
  safeLine,
  shortLine,
  truncate,
} from "../../model/index.ts";
import type { RunLog } from "../../state/index.ts";
import type { ResolvedLaunch } from "../../values/index.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { type PreparedLaunch, prepareLaunch } from "./prepare-launch.ts";
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
  const prepared = await prepareLaunch(workspace, server, launch);
  if (prepared.packageId !== undefined) return { ...prepared, stopWatching: nothing };
  const { installation, updates } = await planInstallation(prepared.launch, {
    ...ports,
    environment,
    wrapLength: (server.launch?.transport === "stdio" && server.launch.wrap?.length) || 0,
    hasWorked: async () => (await eras.recall(catalogSubject(server).fingerprint)) !== undefined,
  });
  const { limit } = context;
  const shown = ({ runner, package: name }: InstallSubject): InstallSubject => ({
    runner,
    package: truncate(safeLine(redactor.redact(name)), LONGEST_LINE),
  });
  if (installation !== undefined) {
    limit.beginInstalling(shown(installation));
    await context.outsideTurn(() => install(workspace, server, installation, context));
    limit.endInstalling();
    return { ...(await prepareLaunch(workspace, server, launch)), stopWatching: nothing };
  }
  if (updates === undefined) return { ...prepared, stopWatching: nothing };
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
    ...prepared,
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
  { signal, limit }: InstallContext,
): Promise<void> {
  try {
    await installPackage(installation, {
      ports,
      environment,
      redactor,
      cache: places.cache,
      waitMs: server.installTimeoutMs,
      signal: AbortSignal.any([signal, limit.late]),
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
