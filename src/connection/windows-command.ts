import { win32 } from "node:path";
import { HostError } from "../model/index.ts";
import type { Files, SpawnRequest } from "../platform/index.ts";

/**
 * How Windows starts a command: found on PATH with the endings of PATHEXT, never in the working folder, where a repository
 * could have put it. A `.cmd` or `.bat` file, such as `npx`, runs under `cmd.exe`, with every argument quoted for it.
 */
export async function toWindowsCommand(request: SpawnRequest, files: Files): Promise<SpawnRequest> {
  const program = await findProgram(request, files);
  if (program === undefined) return request; // starting it will say that it is not there
  if (!/\.(?:cmd|bat)$/i.test(program)) return { ...request, command: program };
  const line = [
    `"${hidePercents(program)}"`,
    ...request.args.map((argument) => quoteForBatch(argument)),
  ].join(" ");
  const root = variable(request.env, "SystemRoot") ?? "C:\\Windows";
  return {
    ...request,
    command: win32.join(root, "System32", "cmd.exe"),
    args: ["/e:ON", "/v:OFF", "/d", "/c", `"${line}"`],
    verbatim: true,
  };
}

async function findProgram({ command, cwd, env }: SpawnRequest, files: Files): Promise<string | undefined> {
  const endings = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";").filter(Boolean);
  const hasPath = /[\\/]/.test(command);
  const folders = hasPath
    ? [cwd]
    : (variable(env, "PATH") ?? "").split(";").filter((folder) => win32.isAbsolute(folder));
  // As given first, where it has an ending: `npx` beside `npx.cmd` is a script for another system.
  const names = [...(win32.extname(command) === "" ? [] : [command]), ...endings.map((end) => command + end)];
  for (const folder of folders) {
    for (const name of names) {
      const path = win32.resolve(folder, name);
      if ((await files.kind(path)) === "file") return path;
    }
  }
  return undefined;
}

function variable(env: SpawnRequest["env"], name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

/**
 * One argument that reaches a batch file's program as it is. Inside quotes `cmd.exe` leaves all alone but quotes and
 * percent signs: a quote is doubled, and before a percent sign stands a variable of no length, so that `%NAME%` is no name.
 */
export function quoteForBatch(argument: string): string {
  if (/[\r\n\0]/.test(argument))
    throw new HostError(
      "CONNECT_FAILED",
      "an argument with a line break cannot be given to a .cmd or .bat file",
    );
  if (/^[\w#$*+\-./:?@\\]*[\w#$*+\-./:?@]$/.test(argument)) return argument;
  return `"${hidePercents(argument.replace(/(\\*)"/g, '$1$1""').replace(/(\\+)$/, "$1$1"))}"`;
}

function hidePercents(text: string): string {
  return text.replaceAll("%", "%%cd:~,%");
}
