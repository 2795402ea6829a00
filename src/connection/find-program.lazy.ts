import { posix, win32 } from "node:path";
import type { Files } from "../platform/index.ts";

export interface WantedProgram {
  readonly command: string;
  /** The folder it would be started in. */
  readonly cwd: string;
  /** The whole environment that it would get. */
  readonly env: Readonly<Record<string, string>>;
  readonly platform: string;
}

export interface ProgramSearch {
  /** The file that would be run; nothing when there is none. */
  readonly program: string | undefined;
  /** Where it was looked for. */
  readonly folders: readonly string[];
}

/** Where a system looks that is not told where to look. */
const DEFAULT_PATH = "/usr/bin:/bin";

/** Finds a program by the rules of the system: a path as it is, a bare name in the folders of PATH. Runs nothing. */
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

/** What may not be looked at holds nothing for us. */
async function isProgram(files: Files, path: string, isWindows: boolean): Promise<boolean> {
  try {
    if ((await files.kind(path)) !== "file") return false;
    return isWindows || (((await files.mode(path)) ?? 0) & 0o111) !== 0;
  } catch {
    return false;
  }
}

/** On Windows never the working folder, where a repository could have put something. */
function foldersOf({ cwd, env, platform }: WantedProgram): string[] {
  if (platform === "win32")
    return (variable(env, "PATH") ?? "").split(";").filter((folder) => win32.isAbsolute(folder));
  return (env["PATH"] ?? DEFAULT_PATH).split(":").map((folder) => posix.resolve(cwd, folder));
}

/** As given first, where it has an ending: `npx` beside `npx.cmd` is a script for another system. */
function windowsNames({ command, env }: WantedProgram): string[] {
  const endings = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";").filter(Boolean);
  return [...(win32.extname(command) === "" ? [] : [command]), ...endings.map((end) => command + end)];
}

/** Windows writes names in any case. */
export function variable(env: WantedProgram["env"], name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}
