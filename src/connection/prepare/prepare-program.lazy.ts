import { serverEnvironment } from "../server-environment.ts";
import type { StdioLaunch } from "../start-program.ts";
import { loadedByOptions } from "./bare-imports.ts";
import { entersFolder, joinCommand, splitCommands } from "./command-text.ts";
import {
  type CodeSource,
  type Context,
  commandLineOf,
  type PrepareDeps,
  type PreparedProgram,
  ProgramPreparation,
  pathOf,
  refusal,
  withCommandLine,
  withVariables,
} from "./preparation.ts";
import { findPrograms, type RecognizedProgram, recognizeProgram } from "./recognize-program.ts";
import { runnerFolder, writeRunnerFolder } from "./runner-folder.ts";
import { settingsVariables } from "./settings-variables.ts";

/**
 * Changes a launch so that it runs only code that its entry identifies. Package runners and interpreters look for code in the
 * project folder of the entry, or outside of the working folder. The server itself still starts in its own folder.
 */
export async function prepareProgram(
  launch: StdioLaunch,
  source: CodeSource,
  deps: PrepareDeps,
): Promise<PreparedProgram> {
  const context = {
    source,
    deps,
    serverFolder: pathOf(deps).resolve(deps.environment.cwd, launch.cwd ?? ""),
  };
  if (source.projectFolder !== undefined)
    return new ProgramPreparation(
      launch,
      recognizeProgram(commandLineOf(launch), source.wrapLength),
      context,
    ).run();
  if (!source.declaresFolder) refuseOptions(launch);
  return prepareLine(launch, context, { start: source.wrapLength });
}

/** Prepares every program of a user's command line, from last to first so that insertions do not shift the remaining indexes. */
async function prepareLine(
  launch: StdioLaunch,
  context: Context,
  { start, isInside }: { readonly start: number; readonly isInside?: boolean },
): Promise<PreparedProgram> {
  let prepared: PreparedProgram = { launch };
  const programs = findPrograms(commandLineOf(launch), start, isInside);
  for (const program of programs.toReversed()) {
    const next =
      program.kind === "text"
        ? await prepareText(prepared.launch, program, context)
        : await new ProgramPreparation(prepared.launch, program, context).run();
    prepared = { ...prepared, ...next };
  }
  return { ...prepared, launch: await withSettings(prepared.launch, context) };
}

/** Prepares the commands in a word that contains a shell command line. */
async function prepareText(
  launch: StdioLaunch,
  { at, prefix = "", isWrapped }: RecognizedProgram,
  context: Context,
): Promise<PreparedProgram> {
  const { platform } = context.deps.environment;
  const line = commandLineOf(launch);
  const text = (line[at] ?? "").slice(prefix.length);
  if (entersFolder(text)) return { launch };
  const parts = splitCommands(text, platform);
  const isOnly = parts.length === 1;
  let prepared: PreparedProgram = { launch };
  let changed = prefix;
  for (const part of parts) {
    const [command, ...args] = part.words.map((word) => word.text);
    if (command === undefined) {
      changed += part.raw;
      continue;
    }
    const inner = { ...prepared.launch, command, args };
    const next = await prepareLine(inner, context, { start: 0, isInside: isWrapped || !isOnly });
    changed += joinCommand(part, commandLineOf(next.launch), platform);
    prepared = { ...prepared, ...next };
  }
  return { ...prepared, launch: withCommandLine(prepared.launch, line.with(at, changed)) };
}

async function withSettings(launch: StdioLaunch, { source, deps }: Context): Promise<StdioLaunch> {
  const { environment, cache, files, isDryRun } = deps;
  if (source.declaresFolder) return launch;
  const runners = runnerFolder(cache, environment.platform);
  const added = settingsVariables(commandLineOf(launch), {
    ...environment,
    tsconfig: runners.tsconfig,
    given: serverEnvironment(environment, launch.inheritEnv, launch.env),
    join: pathOf(deps).join,
  });
  if (Object.hasOwn(added, "TSX_TSCONFIG_PATH") && isDryRun !== true) await writeRunnerFolder(runners, files);
  return withVariables(launch, added);
}

/** Throws if NODE_OPTIONS in the entry would load code from the working folder. */
function refuseOptions(launch: StdioLaunch): void {
  const [, inLine = ""] = /^NODE_OPTIONS=(.*)$/m.exec(commandLineOf(launch).join("\n")) ?? [];
  const options = `${launch.env.get("NODE_OPTIONS")?.reveal() ?? ""} ${inLine}`;
  const loaded = loadedByOptions(options);
  if (loaded !== undefined) throw refusal(`NODE_OPTIONS would load "${loaded}" from the working folder`);
}
