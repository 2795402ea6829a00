import { win32 } from "node:path";
import { HostError } from "../model/index.ts";
import type { Files, SpawnRequest } from "../platform/index.ts";
import { findProgram, variable } from "./find-program.lazy.ts";

/**
 * Resolves a command on Windows: searches PATH with the extensions of PATHEXT, but never the working folder, where a project
 * could have placed a program. `.cmd` and `.bat` files, such as `npx`, run in `cmd.exe` with quoted arguments.
 */
export async function toWindowsCommand(request: SpawnRequest, files: Files): Promise<SpawnRequest> {
  const { program } = await findProgram({ ...request, platform: "win32" }, files);
  const root = variable(request.env, "SystemRoot") ?? "C:\\Windows";
  // Spawning this path fails with "not found". Windows would look for a bare name in the working folder first.
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
 * Quotes an argument so that a batch file passes it on unchanged. Inside quotes, `cmd.exe` interprets only quotes and percent
 * signs: quotes are doubled, and an empty variable before each percent sign prevents the expansion of `%NAME%`.
 */
export function quoteForBatch(argument: string): string {
  if (/[\r\n\0]/.test(argument))
    throw new HostError(
      "CONNECT_FAILED",
      "an argument with a line break cannot be passed to a .cmd or .bat file",
    );
  if (/^[\w#$*+\-./:?@\\]*[\w#$*+\-./:?@]$/.test(argument)) return argument;
  return `"${hidePercents(argument.replace(/(?<!\\)(\\*)"/g, '$1$1""').replace(/(?<!\\)(\\+)$/, "$1$1"))}"`;
}

function hidePercents(text: string): string {
  return text.replaceAll("%", "%%cd:~,%");
}
