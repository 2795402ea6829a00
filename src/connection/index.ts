/** Connects to resolved servers. The protocol client is loaded with the first connection. */
export type { Authorizer } from "./authorized-http.ts";
export type { BorrowedServer } from "./borrowed-channel.ts";
export type { ConcurrencyLimit } from "./concurrency-limit.ts";
export { createConcurrencyLimit } from "./concurrency-limit.ts";
export type { Connection, RequestOptions, TaskJournal } from "./connection.ts";
export type { ConnectionState } from "./connection-state.ts";
export type { ProgramSearch } from "./find-program.lazy.ts";
export { COMMAND_IS_FOLDER, folderProblem, isFolder } from "./folder-problem.ts";
export { headerParameters, parameterHeaders } from "./http/request-headers.ts";
export { describeUnreachable } from "./http/unreachable.ts";
export type { InstallSubject } from "./install/install-error.ts";
export { installTimedOut } from "./install/install-error.ts";
export type { InstallGate } from "./install/install-npx.lazy.ts";
export { parseInstallOutput } from "./install/install-output.ts";
export type { PublishedFacts } from "./install/npm-command.ts";
export type { InstallPlan } from "./install/plan-installation.lazy.ts";
export type { OpenContext } from "./open-connection.lazy.ts";
export type { CodeSource, PreparedProgram } from "./prepare/preparation.ts";
export type { Recorder } from "./recording/recorder.lazy.ts";
export type { Replay } from "./recording/replay.lazy.ts";
export { serverEnvironment, withProxySecrets } from "./server-environment.ts";
export type { ServerRefusal } from "./server-refusal.ts";
export { serverRefusalOf } from "./server-refusal.ts";
export type { ServerRelay } from "./server-relay.ts";
export type { OpeningStage } from "./supervised-server.ts";
export type { Supervisor, SupervisorOptions } from "./supervisor.ts";
export { createSupervisor } from "./supervisor.ts";
export { findTelemetry } from "./telemetry/find-telemetry.ts";
export type { Telemetry } from "./telemetry/telemetry.ts";
export { announcedCapabilities } from "./wire/announced-capabilities.ts";
export { RpcRefusal } from "./wire/rpc-refusal.ts";

import type { StdioLaunch as DeclaredLaunch, JsonObject } from "../model/index.ts";
import type { Files, Ports } from "../platform/index.ts";
import type { ResolvedServer } from "../values/index.ts";
import type { Connection } from "./connection.ts";
import type { ProgramSearch, WantedProgram } from "./find-program.lazy.ts";
import type { InstallDeps, NpxInstallation } from "./install/install-npx.lazy.ts";
import type { BrokenTree, InstallPlan, PlanDeps, WarmUp } from "./install/plan-installation.lazy.ts";
import type { SandboxedInstall } from "./install/sandboxed-install.lazy.ts";
import type { NpxCommand, NpxProgram } from "./npx-program.lazy.ts";
import type { OpenContext } from "./open-connection.lazy.ts";
import type { CodeSource, PrepareDeps, PreparedProgram } from "./prepare/preparation.ts";
import type { Recorder, RecorderOptions } from "./recording/recorder.lazy.ts";
import type { Replay, ReplayOptions } from "./recording/replay.lazy.ts";
import type { StdioLaunch } from "./start-program.ts";
import { startProgram } from "./start-program.ts";

/** Starts or reaches a server and performs the handshake. */
export async function connectServer(
  server: ResolvedServer,
  context: OpenContext,
  signal: AbortSignal,
): Promise<Connection> {
  const { launch } = server;
  // The program starts while the rest of this module loads, which takes less time.
  const isStarted = launch.transport === "stdio" && context.borrowed === undefined;
  const started = isStarted ? startProgram(launch, context) : undefined;
  await started?.catch(() => {}); // the channel that uses it reports the error
  const { openConnection } = await import("./open-connection.lazy.ts");
  return openConnection(server, { ...context, started }, signal);
}

/** Runs a program in a sandbox to its end, and returns its output. */
export async function runInSandbox(
  launch: StdioLaunch,
  context: Pick<OpenContext, "ports" | "environment">,
  mostBytes: number,
): Promise<string> {
  const child = await startProgram(launch, context);
  const chunks: Uint8Array[] = [];
  let size = 0;
  child.onOutput((chunk) => {
    size += chunk.length;
    if (size <= mostBytes) chunks.push(chunk);
    else child.signal("SIGKILL");
  });
  child.onErrorOutput((chunk) => void (size < mostBytes && chunks.push(chunk)));
  child.endInput();
  const stopTimer = context.ports.clock.after(RUN_MS, () => child.signal("SIGKILL"));
  const { failure } = await child.ended;
  stopTimer();
  child.release();
  if (failure !== undefined) throw failure;
  return Buffer.concat(chunks).toString("utf8");
}

/** How long a program that only looks around may run. */
const RUN_MS = 30_000;

/** Returns the program that npx would start, if npm's cache contains it. */
export async function findNpxProgram(
  npx: NpxCommand,
  ports: Pick<Ports, "files" | "clock">,
): Promise<NpxProgram | undefined> {
  if (!/npx(?:\.cmd)?$/.test(npx.command)) return undefined;
  return (await import("./npx-program.lazy.ts")).findNpxProgram(npx, ports);
}

/** Changes a launch so that it runs only code that its entry identifies. */
export async function prepareProgram(
  launch: StdioLaunch,
  source: CodeSource,
  deps: PrepareDeps,
): Promise<PreparedProgram> {
  return (await import("./prepare/prepare-program.lazy.ts")).prepareProgram(launch, source, deps);
}

/**
 * Returns whether a launch could run other code in another folder, even with an absolute path to its script. Loads the
 * required code.
 */
export async function dependsOnFolder(
  launch: Pick<DeclaredLaunch, "wrap" | "command" | "args" | "env">,
  platform: string,
): Promise<boolean> {
  return (await import("./prepare/depends-on-folder.lazy.ts")).dependsOnFolder(launch, platform);
}

/** Finds the program of a launch on this machine. Runs nothing. Loads the required code. */
export async function findProgram(wanted: WantedProgram, files: Files): Promise<ProgramSearch> {
  return (await import("./find-program.lazy.ts")).findProgram(wanted, files);
}

const RUNNER =
  /(?:^|[\\/])(?:npx|npm|pnpm|pnpx|pn|yarn|yarnpkg|bunx?|uvx?|pipx)(?:-cli)?(?:\.(?:cmd|exe|[cm]?js))?$/i;

/** Returns what has to be installed before a launch. */
export async function planInstallation(launch: StdioLaunch, deps: PlanDeps): Promise<InstallPlan> {
  if (![launch.command, ...launch.args].some((word) => RUNNER.test(word))) return {};
  return (await import("./install/plan-installation.lazy.ts")).planInstallation(launch, deps);
}

/** Returns what is installed outside of the sandbox for a sandboxed launch, and how. Runs nothing. */
export async function parseSandboxedInstall(words: readonly string[]): Promise<SandboxedInstall | undefined> {
  return (await import("./install/sandboxed-install.lazy.ts")).parseSandboxedInstall(words);
}

/** Installs a package before its server starts. */
export async function installPackage(
  installation: NpxInstallation | WarmUp,
  deps: InstallDeps,
): Promise<void> {
  return (await import("./install/install-package.lazy.ts")).installPackage(installation, deps);
}

/** Returns whether npx is currently updating the package. */
export async function isUpdating(
  installation: NpxInstallation,
  ports: Pick<Ports, "files" | "clock">,
  platform: string,
): Promise<boolean> {
  return (await import("./install/install-npx.lazy.ts")).isUpdating(installation, ports, platform);
}

/** Finds a package that an interrupted npm left incomplete. */
export async function findBrokenTree(
  launch: StdioLaunch,
  deps: Omit<PlanDeps, "hasWorked">,
): Promise<BrokenTree | undefined> {
  return (await import("./install/plan-installation.lazy.ts")).findBrokenTree(launch, deps);
}

/** Returns what npm recorded about the packages that it installed for a launch. Runs nothing. */
export async function findInstalledPackages(
  launch: StdioLaunch,
  deps: Pick<PlanDeps, "files" | "clock" | "environment">,
): Promise<JsonObject | undefined> {
  return (await import("./install/plan-installation.lazy.ts")).findInstalledPackages(launch, deps);
}

/** Removes an incomplete package, so that the next start reinstalls it. Returns whether it existed. */
export async function removeBrokenTree(
  { installation }: BrokenTree,
  deps: Pick<InstallDeps, "ports" | "environment" | "signal">,
): Promise<boolean> {
  return (await import("./install/install-npx.lazy.ts")).removeBrokenTree(installation, deps);
}

/** Starts to record exchanges with servers. */
export async function createRecorder(options: RecorderOptions): Promise<Recorder> {
  return (await import("./recording/recorder.lazy.ts")).createRecorder(options);
}

/** Reads a recording, to answer from it. */
export async function readReplay(options: ReplayOptions): Promise<Replay> {
  return (await import("./recording/replay.lazy.ts")).readReplay(options);
}
