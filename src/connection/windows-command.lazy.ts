import { win32 } from "node:path";
import { HostError } from "../model/index.ts";
import type { Files, SpawnRequest } from "../platform/index.ts";
import { findProgram, variable } from "./find-program.lazy.ts";

/**
 * How Windows starts a command: found on PATH with the endings of PATHEXT, never in the working folder, where a repository
 * could have put it. A `.cmd` or `.bat` file, such as `npx`, runs under `cmd.exe`, with every argument quoted for it.
 */
export async function toWindowsCommand(request: SpawnRequest, files: Files): Promise<SpawnRequest> {
  const { program } = await findProgram({ ...request, platform: "win32" }, files);
  const root = variable(request.env, "SystemRoot") ?? "C:\\Windows";
  // Starting it says that it is not there. A bare name would be looked for in the working folder first.
  if (program === undefined)
    return /[\\/]/.test(request.command)
      ? request
      : { ...request, command: win32.join(root, "System32", "not-found", request.command) };
  if (!/\.(?:cmd|bat)$/i.test(program)) return { ...request, command: program };
  const line = [
    `"${hidePercents(program)}"`,
    ...request.args.map((argument) => quoteForBatch(argument)),
  ].join(" ");
  return {
    ...request,
    command: win32.join(root, "System32", "cmd.exe"),
    args: ["/e:ON", "/v:OFF", "/d", "/c", `"${line}"`],
    verbatim: true,
  };
}

/**
 * One argument that reaches a batch file's program as it is. Inside quotes `cmd.exe` leaves all alone but quotes and
 * percent signs: a quote is doubled, and before a percent sign stands a variable of no length, so that `%NAME%` is no name.
 */
export function quoteForBatch(argument: string): string {
  if (/[\r\n\0]/.test(argument))
    throw new HostError(
      "CONNECT_FAILED",
      "an argument with a line break cannot be passed to a .cmd or .bat file",
    );
  if (/^[\w#$*+\-./:?@\\]*[\w#$*+\-./:?@]$/.test(argument)) return argument;
  return `"${hidePercents(argument.replace(/(\\*)"/g, '$1$1""').replace(/(\\+)$/, "$1$1"))}"`;
}

function hidePercents(text: string): string {
  return text.replaceAll("%", "%%cd:~,%");
}
