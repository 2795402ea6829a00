import { isAbsolute, join } from "node:path";
import {
  isCommandPath,
  isRelativePath,
  type ServerDeclaration,
  type ServerEntry,
  type StdioLaunch,
} from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { type Expanded, expand, placeholdersIn } from "./expand.ts";
import { expansionContext } from "./expansion-context.ts";
import { dropRelativeFolders } from "./relative-folders.ts";

/** The program that a launch starts, and where. */
export interface DeclaredProgram {
  readonly command: string;
  readonly cwd: string | undefined;
  /** The launch's own PATH, if it sets one. */
  readonly path: string | undefined;
  /** The command as displayed, with placeholders instead of values. */
  readonly shown: string;
  /** Whether the command, the folder or the path contains values that must not be displayed. */
  readonly holdsHidden: boolean;
}

/**
 * Returns the program of a launch if it can be determined without user input or commands, else `undefined`. Without an
 * environment, no variables are read.
 */
export function declaredProgram(
  { declaration, resolveInProject }: ServerEntry,
  launch: StdioLaunch,
  environment?: Environment,
  platform: string = environment?.platform ?? "",
): DeclaredProgram | undefined {
  const { expansion } = declaration;
  const fill = (field: string, text: string): Pick<Expanded, "text" | "shown"> | undefined => {
    if (environment === undefined)
      return placeholdersIn(text, expansion).length === 0 ? { text, shown: text } : undefined;
    const context = expansionContext(environment, declaration);
    const expanded = expand(text, expansion, context, field);
    const { missing, inputs, dynamic } = expanded;
    return missing.length + inputs.length + dynamic.length === 0 ? expanded : undefined;
  };
  const [wrapper] = launch.wrap ?? [];
  const command = wrapper === undefined ? fill("command", launch.command) : fill("wrap", wrapper);
  const cwd = fill("cwd", launch.cwd ?? "");
  const path = fill("env.PATH", launch.env["PATH"] ?? "");
  if (command === undefined || cwd === undefined || path === undefined) return undefined;
  const inFolder = (text: string): string =>
    wrapper === undefined || declaration.projectFolder !== undefined
      ? commandPath(text, declaration, { platform, cwd: launch.cwd })
      : text;
  const home = { home: environment?.home, platform };
  const listed = { declared: launch.env["PATH"] ?? "", filled: path.text };
  const searchPath = resolveInProject
    ? path.text
    : dropRelativeFolders("PATH", listed, expansion, platform).text;
  return {
    command: inFolder(expandTilde(command.text, home)),
    cwd: workingFolder(cwd.text === "" ? undefined : expandTilde(cwd.text, home), declaration),
    path: searchPath || undefined,
    shown: inFolder(expandTilde(command.shown, home)),
    holdsHidden: [command, cwd, path].some(({ text, shown }) => text !== shown),
  };
}

/** Resolves a relative command from the folder of the plugin or project that declares it. */
export function commandPath(
  command: string,
  { expansion: { commandFolder, baseFolder }, projectFolder }: ServerDeclaration,
  { platform, cwd }: { readonly platform: string; readonly cwd: string | undefined },
): string {
  const isRelative = /[\\/]/.test(command) && !isAbsolute(command);
  if (commandFolder !== undefined) return isRelative ? join(commandFolder, command) : command;
  const isProjects = projectFolder !== undefined && baseFolder === undefined && cwd === undefined;
  return isProjects && isCommandPath(command, platform) && isRelativePath(command)
    ? join(projectFolder, command)
    : command;
}

/** Returns the folder in which a launch starts, if it is not the working folder. */
export function workingFolder(cwd: string, declaration: ServerDeclaration): string;
export function workingFolder(cwd: string | undefined, declaration: ServerDeclaration): string | undefined;
export function workingFolder(
  cwd: string | undefined,
  { expansion: { baseFolder }, projectFolder }: ServerDeclaration,
): string | undefined {
  if (cwd !== undefined && isAbsolute(cwd)) return cwd;
  if (baseFolder !== undefined) return join(baseFolder, cwd ?? "");
  return cwd !== undefined && projectFolder !== undefined ? join(projectFolder, cwd) : cwd;
}

/** Expands a leading `~/` to the home folder, as a shell does. */
export function expandTilde(
  path: string,
  { home, platform }: Pick<Environment, "home" | "platform">,
): string {
  const isTilde = path.startsWith("~/") || (platform === "win32" && path.startsWith("~\\"));
  return isTilde && home !== undefined ? `${home}${path.slice(1)}` : path;
}
