import { posix, win32 } from "node:path";
import { withFileLock } from "../../documents/index.ts";
import { codeOf, type JsonObject, messageOf } from "../../model/index.ts";
import { delay, type Folders, type Ports } from "../../platform/index.ts";
import { withCommandLine, withVariables } from "../prepare/preparation.ts";
import { INSTALL_ONLY, runnerFolder, writeRunnerFolder } from "../prepare/runner-folder.ts";
import type { StdioLaunch } from "../start-program.ts";
import { type InstallSubject, installBroken, installFailed } from "./install-error.ts";
import { npmCommand, type PublishedFacts, readPublishedFacts } from "./npm-command.ts";
import type { NpxLine } from "./npx-line.ts";
import { inspectNpxTree, inspectUnlocked, isLockedByNpm, type NpxTree, npmLock } from "./npx-tree.ts";
import { type InstallerRun, runInstaller } from "./run-installer.ts";

/** An installation by npx or `npm exec`. */
export interface NpxInstallation extends InstallSubject {
  readonly kind: "npx";
  readonly launch: StdioLaunch;
  /** The index of npx in the command line. */
  readonly at: number;
  readonly line: NpxLine;
  /** npm's cache folder. */
  readonly npmCache: string;
  /** Installs the packages again, and replaces those in npm's cache. */
  readonly isRefresh?: boolean;
}

/** Decides which packages npm may install. Everything it throws ends the installation before the packages can be used. */
export interface InstallGate {
  /** Options for npm. They follow those of the entry, so that the entry cannot change them. */
  readonly options: readonly string[];
  /** Returns the error to report if npm refused because of the options. */
  explain(output: string): Error | undefined;
  /** Checks installed packages before they are moved into place. Returns those whose install scripts may run. */
  check(
    packages: JsonObject,
    published: (spec: string) => Promise<PublishedFacts>,
  ): Promise<readonly string[]>;
}

export interface InstallDeps extends InstallerRun {
  readonly gate?: InstallGate | undefined;
  /** Plugboard's cache folder. */
  readonly cache: string;
  /** How long another process may take to install the same package. */
  readonly waitMs: number;
}

const POLL_MS = 250;
/** A free lock is acquired within this time. After it, another process must hold the lock. */
const WAITING_MS = 1_000;

/** Returns the folder in `_npx` that npm uses for a command line. */
export function npxFolder(
  { npmCache, line }: Pick<NpxInstallation, "npmCache" | "line">,
  platform: string,
): string {
  return (platform === "win32" ? win32 : posix).join(npmCache, "_npx", line.hash);
}

/** Returns whether an npm process is working in the folder. */
export function isUpdating(
  installation: NpxInstallation,
  { files, clock }: Pick<Ports, "files" | "clock">,
  platform: string,
): Promise<boolean> {
  const path = platform === "win32" ? win32 : posix;
  return isLockedByNpm(npxFolder(installation, platform), { files, path, now: clock.now() });
}

/**
 * Installs a package where npx looks for it. npm installs into a staging folder, which is moved into place when it is complete.
 * If this process is killed, npx finds either the complete package or nothing.
 */
export async function installWithNpx(installation: NpxInstallation, deps: InstallDeps): Promise<void> {
  const { ports, environment, signal, waitMs } = deps;
  const { folders } = ports.files;
  if (folders === undefined) return;
  const path = environment.platform === "win32" ? win32 : posix;
  const { npmCache, line } = installation;
  const own = path.join(npmCache, "_plugboard");
  const staging = path.join(own, line.hash);
  const target = npxFolder(installation, environment.platform);
  const inspect = (folder: string): Promise<NpxTree> =>
    inspectNpxTree(folder, { files: ports.files, path, now: ports.clock.now() });
  const isInstalled = async (): Promise<boolean> => {
    if (installation.isRefresh === true) return false;
    const tree = await whenUnlocked(target, inspect, deps);
    if (tree.kind === "broken") throw installBroken(installation, target, tree.because);
    return tree.kind === "complete";
  };
  await ports.files.makeFolder(own, 0o700).catch((cause: unknown) => {
    throw installFailed(installation, `${own} could not be created: ${messageOf(cause)}`);
  });
  const stopTimer = ports.clock.after(WAITING_MS, () =>
    deps.onLine("waiting for another Plugboard process to install it"),
  );
  await withFileLock(
    ports,
    `${staging}.lock`,
    async () => {
      stopTimer();
      if (await isInstalled()) return; // another process has installed it in the meantime
      try {
        await prepareStaging(staging, path.join(npmCache, "_cacache"), { folders, deps, path });
        const { end, output } = await runInstaller(await installer(installation, staging, deps), deps);
        if (end?.code !== 0)
          throw deps.gate?.explain(output) ?? installFailed(installation, describeEnd(end, output));
        for (const hash of await ports.files.list(path.join(staging, "_npx"))) {
          const staged = path.join(staging, "_npx", hash);
          const tree = await inspect(staged);
          if (tree.kind !== "complete") throw installFailed(installation, "npm did not finish installing it");
          await passGate(installation, staged, tree.packages, deps);
          const place = path.join(npmCache, "_npx", hash);
          if (installation.isRefresh === true) await setAside(place, staging, { folders, deps, path });
          await moveIntoPlace(staged, place, { folders, deps, path });
        }
      } finally {
        await folders.remove(staging);
      }
    },
    { waitMs, signal },
  ).finally(stopTimer);
}

/** Checks staged packages, and runs the install scripts that are allowed. */
async function passGate(
  installation: NpxInstallation,
  staged: string,
  packages: JsonObject,
  deps: InstallDeps,
): Promise<void> {
  const { gate } = deps;
  if (gate === undefined) return;
  const scripts = await gate.check(packages, (spec) => readPublishedFacts(installation, spec, deps));
  if (scripts.length === 0) return;
  const words = [`--prefix=${staged}`, "--ignore-scripts=false", "--logs-max=0", "rebuild", ...scripts];
  const { end, output } = await runInstaller(npmCommand(installation, words), deps);
  if (end?.code !== 0) throw installFailed(installation, describeEnd(end, output));
}

interface StagingDeps {
  readonly folders: Folders;
  readonly deps: InstallDeps;
  readonly path: typeof posix;
}

/** npm downloads to its usual cache, so that an interrupted installation can continue. */
async function prepareStaging(
  staging: string,
  downloads: string,
  { folders, deps: { ports }, path }: StagingDeps,
): Promise<void> {
  await folders.remove(staging); // a killed process may have left it behind
  await ports.files.makeFolder(staging, 0o700);
  await ports.files.makeFolder(downloads, 0o700);
  await folders.link(downloads, path.join(staging, "_cacache"));
}

async function installer(
  installation: NpxInstallation,
  staging: string,
  { ports, environment: { platform }, cache, gate }: InstallDeps,
): Promise<StdioLaunch> {
  const line = installerLine(installation, staging, platform, gate?.options);
  const launch = withCommandLine(installation.launch, line);
  if (platform === "win32") return launch;
  const runners = runnerFolder(cache, platform);
  await writeRunnerFolder(runners, ports.files);
  return withVariables(launch, { npm_config_script_shell: runners.shell, [INSTALL_ONLY]: "1" });
}

/**
 * Returns the command line with another cache and without the server's arguments. npx decides whether to install anything; our
 * script shell then starts nothing. On Windows npm cannot use such a shell, so it runs a command that does nothing.
 */
export function installerLine(
  {
    launch,
    at,
    line: { packages, optionsEnd, end, isTarget },
  }: Pick<NpxInstallation, "launch" | "at" | "line">,
  staging: string,
  platform: string,
  required: readonly string[] = [],
): readonly string[] {
  const words = [launch.command, ...launch.args];
  const program = words.slice(0, at + 1);
  const options = [
    `--cache=${staging}`,
    "--loglevel=http",
    "--logs-max=0",
    "--no-update-notifier",
    ...words.slice(at + 1, optionsEnd),
    ...required,
  ];
  if (platform !== "win32") return [...program, ...options, ...words.slice(optionsEnd, end)];
  const asked = isTarget ? packages.map((spec) => `--package=${spec}`) : [];
  return [...program, ...options, ...asked, "--call=exit"];
}

/** Waits until no npm process is working in the folder. */
async function whenUnlocked(
  folder: string,
  inspect: (folder: string) => Promise<NpxTree>,
  { ports, signal, onLine }: InstallDeps,
): Promise<NpxTree> {
  for (;;) {
    signal.throwIfAborted();
    const tree = await inspect(folder);
    if (tree.kind !== "locked") return tree;
    onLine("waiting for another npx process to install it");
    await delay(ports.clock, POLL_MS);
  }
}

/** Moves the packages that are about to be replaced out of npm's cache, in one step and with npm's lock. */
async function setAside(place: string, staging: string, deps: StagingDeps): Promise<void> {
  await takeNpmLock(place, deps);
  await deps.folders.move(place, deps.path.join(staging, "replaced"));
}

/** Renames the folder if the target does not exist. Otherwise moves its parts under npm's lock, `node_modules` last. */
async function moveIntoPlace(
  staged: string,
  place: string,
  { folders, deps, path }: StagingDeps,
): Promise<void> {
  const { files } = deps.ports;
  await files.makeFolder(path.dirname(place), 0o755);
  const isMoved = await folders.move(staged, place).then(
    () => true,
    () => false,
  );
  if (isMoved) return;
  const lock = await takeNpmLock(place, { folders, deps, path });
  try {
    const tree = await inspectUnlocked(place, { files, path });
    if (tree.kind !== "absent") return; // another npm process has written to it in the meantime
    const modules = path.join(place, "node_modules");
    await folders.remove(modules); // it is empty
    for (const name of ["package.json", "package-lock.json", "node_modules"])
      await folders.move(path.join(staged, name), path.join(place, name)).catch((error: unknown) => {
        if (codeOf(error) !== "ENOENT") throw error;
      });
  } finally {
    await folders.remove(lock);
  }
}

async function takeNpmLock(
  place: string,
  {
    folders,
    deps,
    path,
  }: Omit<StagingDeps, "deps"> & { readonly deps: Pick<InstallDeps, "ports" | "signal"> },
): Promise<string> {
  const { ports, signal } = deps;
  const lock = npmLock(place, path);
  for (;;) {
    signal.throwIfAborted();
    try {
      await folders.create(lock);
      return lock;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      const isLocked = await isLockedByNpm(place, { files: ports.files, path, now: ports.clock.now() });
      if (!isLocked) await folders.remove(lock);
      else await delay(ports.clock, POLL_MS);
    }
  }
}

function describeEnd(
  end:
    | {
        readonly code: number | undefined;
        readonly signal: string | undefined;
        readonly failure: Error | undefined;
      }
    | undefined,
  output: string,
): string {
  if (end?.failure !== undefined) return messageOf(end.failure);
  const how = end?.signal === undefined ? `exited with code ${end?.code}` : `was killed by ${end.signal}`;
  return `it ${how}${output === "" ? "" : `; last output:\n${output}`}`;
}

/** Removes an incomplete folder in `_npx`, under npm's own lock. Returns whether it existed. */
export async function removeBrokenTree(
  installation: NpxInstallation,
  deps: Pick<InstallDeps, "ports" | "environment" | "signal">,
): Promise<boolean> {
  const { files } = deps.ports;
  const { platform } = deps.environment;
  const { folders } = files;
  const path = platform === "win32" ? win32 : posix;
  const folder = npxFolder(installation, platform);
  if (folders === undefined || (await files.kind(folder)) === undefined) return false;
  const lock = await takeNpmLock(folder, { folders, deps, path });
  if ((await inspectUnlocked(folder, { files, path })).kind !== "broken") {
    await folders.remove(lock);
    return false;
  }
  const own = path.join(installation.npmCache, "_plugboard");
  const removed = path.join(own, `${installation.line.hash}.broken`);
  await files.makeFolder(own, 0o700);
  await folders.remove(removed);
  await folders.move(folder, removed); // in one step and with its lock, so that npx never finds a part of it
  await folders.remove(removed);
  return true;
}
