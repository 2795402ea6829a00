import { posix, win32 } from "node:path";
import type { Files } from "../platform/index.ts";

export interface WantedProgram {
  readonly command: string;
  /** The working folder of the program. */
  readonly cwd: string;
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly platform: string;
}

export interface ProgramSearch {
  /** The file that would run, or `undefined` if it was not found. */
  readonly program: string | undefined;
  /** The folders that were searched. */
  readonly folders: readonly string[];
}

/** The search path if PATH is not set. */
const DEFAULT_PATH = "/usr/bin:/bin";

/** Finds a program like the operating system does: a path as it is, a bare name in the folders of PATH. Runs nothing. */
export async function findProgram(wanted: WantedProgram, files: Files): Promise<ProgramSearch> {
  const isWindows = wanted.platform === "win32";
  const { resolve } = isWindows ? win32 : posix;
  const folders = /[\\/]/.test(wanted.command) ? [wanted.cwd] : [...new Set(foldersOf(wanted))];
  const names = isWindows ? windowsNames(wanted) : [wanted.command];
  for (const folder of folders) {
    for (const name of names) {
      const path = resolve(folder, name);
      if (await isProgram(files, path, isWindows)) return { program: path, folders };
    }
  }
  return { program: undefined, folders };
}

/** Returns `false` for files that cannot be accessed. */
async function isProgram(files: Files, path: string, isWindows: boolean): Promise<boolean> {
  try {
    if ((await files.kind(path)) !== "file") return false;
    return isWindows || (((await files.mode(path)) ?? 0) & 0o111) !== 0;
  } catch {
    return false;
  }
}

/** On Windows, never includes the working folder, where a project could have placed a program. */
function foldersOf({ cwd, env, platform }: WantedProgram): string[] {
  if (platform === "win32")
    return (variable(env, "PATH") ?? "").split(";").filter((folder) => win32.isAbsolute(folder));
  return (env["PATH"] ?? DEFAULT_PATH).split(":").map((folder) => posix.resolve(cwd, folder));
}

/** A name without an extension is not tried as it is: `npx` next to `npx.cmd` is a shell script. */
function windowsNames({ command, env }: WantedProgram): string[] {
  const endings = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";").filter(Boolean);
  return [...(win32.extname(command) === "" ? [] : [command]), ...endings.map((end) => command + end)];
}

/** Looks up a variable without regard to case, as Windows does. */
export function variable(env: WantedProgram["env"], name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}
