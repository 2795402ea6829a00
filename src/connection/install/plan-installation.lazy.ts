import { posix, win32 } from "node:path";
import { type JsonObject, maskArguments, programName } from "../../model/index.ts";
import type { Clock, Environment, Files } from "../../platform/index.ts";
import { findProgram } from "../find-program.lazy.ts";
import { commandLineOf, withCommandLine } from "../prepare/preparation.ts";
import { recognizeProgram } from "../prepare/recognize-program.ts";
import { serverEnvironment } from "../server-environment.ts";
import type { StdioLaunch } from "../start-program.ts";
import type { InstallSubject } from "./install-error.ts";
import { type NpxInstallation, npxFolder } from "./install-npx.lazy.ts";
import { npmCacheFolder } from "./npm-cache.ts";
import { packageName, parseNpxLine } from "./npx-line.ts";
import { inspectNpxTree } from "./npx-tree.ts";
import { warmUpLine } from "./warm-up.ts";

/** An installation by a runner that never leaves incomplete packages. Starting the server reports its errors. */
export interface WarmUp extends InstallSubject {
  readonly kind: "warmUp";
  readonly launch: StdioLaunch;
}

/** What to install before a launch, and what to watch while the server starts. */
export interface InstallPlan {
  readonly installation?: NpxInstallation | WarmUp;
  /** npx may update this folder of its cache before it starts the server. */
  readonly updates?: NpxInstallation;
  /** The packages that npx would start, if they are complete. */
  readonly installed?: JsonObject;
  /** npx decides by itself what it installs, because Plugboard does not recognize its options. */
  readonly isUnrecognized?: boolean;
}

export interface PlanDeps {
  readonly files: Files;
  readonly clock: Pick<Clock, "now">;
  readonly environment: Environment;
  /** The number of words in the command line that come from the entry's `wrap`. */
  readonly wrapLength: number;
  /** The launch that starts the server, if another launch installs its package. */
  readonly startsAs?: StdioLaunch | undefined;
  /** Returns whether this launch has worked on this machine before. */
  hasWorked(): Promise<boolean>;
}

/** Decides whether the package of a launch must be installed first. Only reads files. */
export async function planInstallation(launch: StdioLaunch, deps: PlanDeps): Promise<InstallPlan> {
  const line = commandLineOf(launch);
  // With a wrapper, the package may have to be installed elsewhere, such as in a sandbox.
  if (deps.wrapLength > 0 || deps.files.folders === undefined) return {};
  const { kind, at, isWrapped } = recognizeProgram(line, 0);
  if (isWrapped) return {};
  if (kind === "npm") return planNpx(launch, at, deps);
  const warmUp = warmUpLine(line, at, kind);
  if (warmUp === undefined || (await deps.hasWorked())) return {};
  const installation: WarmUp = {
    kind: "warmUp",
    runner: programName(line[at] ?? ""),
    package: shown(warmUp.package),
    launch: withCommandLine(launch, warmUp.line),
  };
  return { installation };
}

async function planNpx(launch: StdioLaunch, at: number, deps: PlanDeps): Promise<InstallPlan> {
  const { files, clock, environment } = deps;
  const { platform } = environment;
  const path = platform === "win32" ? win32 : posix;
  const words = commandLineOf(launch);
  const isNpx = /npx/.test(words[at]?.split(/[\\/]/).at(-1) ?? "");
  const line = parseNpxLine(words, at, isNpx);
  const env = serverEnvironment(environment, launch.inheritEnv, launch.env);
  const npmCache = await npmCacheFolder(env, { platform, path, files });
  if (line === undefined || npmCache === undefined) return { isUnrecognized: true };
  const runner = isNpx ? "npx" : "npm";
  const name = shown(line.packages.join(" "));
  const asked: NpxInstallation = { kind: "npx", runner, package: name, launch, at, line, npmCache };
  const tree = await inspectNpxTree(npxFolder(asked, platform), { files, path, now: clock.now() });
  if (tree.kind === "complete") return { updates: asked, installed: tree.packages };
  const { startsAs: starts = launch } = deps;
  const isTarget = parseNpxLine(commandLineOf(starts), at, isNpx)?.isTarget === true;
  const startEnv = serverEnvironment(environment, starts.inheritEnv, starts.env);
  const isElsewhere =
    (await isInFolder(line.packages, starts, deps)) ||
    (isTarget && (await isOnPath(line.packages[0] ?? "", startEnv, deps)));
  return isElsewhere ? { updates: asked } : { installation: asked };
}

/** Returns whether the working folder or a parent contains the packages. npx uses them without installing anything. */
async function isInFolder(
  packages: readonly string[],
  { cwd = "" }: StdioLaunch,
  { files, environment }: PlanDeps,
): Promise<boolean> {
  const path = environment.platform === "win32" ? win32 : posix;
  const start = path.resolve(environment.cwd, cwd);
  const names = packages.map((spec) => packageName(spec) ?? "");
  if (names.includes("")) return false;
  for (let folder = start; ; folder = path.dirname(folder)) {
    const wanted = names.map((name) => path.join(folder, "node_modules", ...name.split("/")));
    if ((await files.present(wanted)).size === wanted.length) return true;
    if (path.dirname(folder) === folder) return false;
  }
}

/** Returns whether a program of this name is on PATH. npx starts globally installed packages by their name. */
async function isOnPath(
  spec: string,
  env: Readonly<Record<string, string>>,
  { files, environment: { platform, cwd } }: PlanDeps,
): Promise<boolean> {
  if (spec !== packageName(spec) || spec.startsWith("@")) return false;
  return (await findProgram({ command: spec, cwd, env, platform }, files)).program !== undefined;
}

/** Masks tokens in package URLs. */
function shown(spec: string): string {
  return maskArguments(spec.split(" ")).join(" ");
}

/** A package that an interrupted npm left incomplete. */
export interface BrokenTree {
  readonly installation: NpxInstallation;
  readonly folder: string;
  readonly because: string;
}

/** Finds the package of a launch in npm's cache. Returns `undefined` if it is complete or not installed. */
export async function findBrokenTree(
  launch: StdioLaunch,
  deps: Omit<PlanDeps, "hasWorked">,
): Promise<BrokenTree | undefined> {
  const { installation } = await planInstallation(launch, { ...deps, hasWorked: async () => true });
  if (installation?.kind !== "npx") return undefined;
  const { files, clock } = deps;
  const { platform } = deps.environment;
  const folder = npxFolder(installation, platform);
  const path = platform === "win32" ? win32 : posix;
  const tree = await inspectNpxTree(folder, { files, path, now: clock.now() });
  return tree.kind === "broken" ? { installation, folder, because: tree.because } : undefined;
}

/** Returns the packages in npm's cache for a launch, as npm's hidden lock file lists them; `undefined` if they are not complete. */
export async function findInstalledPackages(
  launch: StdioLaunch,
  { files, clock, environment }: Pick<PlanDeps, "files" | "clock" | "environment">,
): Promise<JsonObject | undefined> {
  const { platform } = environment;
  const path = platform === "win32" ? win32 : posix;
  const words = commandLineOf(launch);
  const { kind, at } = recognizeProgram(words, 0);
  if (kind !== "npm") return undefined;
  const line = parseNpxLine(words, at, /npx/.test(words[at]?.split(/[\\/]/).at(-1) ?? ""));
  const env = serverEnvironment(environment, launch.inheritEnv, launch.env);
  const npmCache = await npmCacheFolder(env, { platform, path, files });
  if (line === undefined || npmCache === undefined) return undefined;
  const tree = await inspectNpxTree(npxFolder({ npmCache, line }, platform), {
    files,
    path,
    now: clock.now(),
  });
  return tree.kind === "complete" ? tree.packages : undefined;
}
