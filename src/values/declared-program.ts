import { isAbsolute, join } from "node:path";
import type { ExpansionRules, ServerEntry, StdioLaunch } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { expand, placeholdersIn } from "./expand.ts";
import { expansionContext } from "./expansion-context.ts";

/** What a launch would start, and from where. */
export interface DeclaredProgram {
  readonly command: string;
  readonly cwd: string | undefined;
  /** What the launch itself says of PATH. */
  readonly path: string | undefined;
}

/**
 * The program of a launch as far as it can be told without asking anybody; nothing where something has to be asked first. Without
 * an environment no variable is looked at.
 */
export function declaredProgram(
  { declaration: { expansion } }: ServerEntry,
  launch: StdioLaunch,
  environment?: Environment,
): DeclaredProgram | undefined {
  const fill = (field: string, text: string): string | undefined => {
    if (environment === undefined) return placeholdersIn(text, expansion).length === 0 ? text : undefined;
    const context = expansionContext(environment, expansion);
    const { text: filled, missing, inputs, dynamic } = expand(text, expansion, context, field);
    return missing.length + inputs.length + dynamic.length === 0 ? filled : undefined;
  };
  const [wrapper] = launch.wrap ?? [];
  const command = wrapper === undefined ? fill("command", launch.command) : fill("wrap", wrapper);
  const cwd = fill("cwd", launch.cwd ?? "");
  const path = fill("env.PATH", launch.env["PATH"] ?? "");
  if (command === undefined || cwd === undefined || path === undefined) return undefined;
  return {
    command: wrapper === undefined ? commandPath(command, expansion) : command,
    cwd: workingFolder(cwd === "" ? undefined : cwd, expansion),
    path: path === "" ? undefined : path,
  };
}

/** A command with a slash may be meant from the folder of the plugin that declares it. */
export function commandPath(command: string, { commandFolder }: ExpansionRules): string {
  const isRelative = /[\\/]/.test(command) && !isAbsolute(command);
  return commandFolder !== undefined && isRelative ? join(commandFolder, command) : command;
}

export function workingFolder(cwd: string | undefined, { baseFolder }: ExpansionRules): string | undefined {
  if (baseFolder === undefined || (cwd !== undefined && isAbsolute(cwd))) return cwd;
  return join(baseFolder, cwd ?? "");
}
