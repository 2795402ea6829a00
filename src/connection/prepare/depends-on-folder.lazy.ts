import { mayNameOwnFolder, type StdioLaunch } from "../../model/index.ts";
import { codeLoadedFromFolder } from "./bare-imports.ts";
import { mayKeepWorkingFolder, onlyNamesPackage, verbLength } from "./keeps-working-folder.ts";
import { namesRelativePath } from "./names-relative-path.ts";
import {
  importsFromFolder,
  isContainer,
  pythonOptionsAt,
  type RecognizedProgram,
  recognizeProgram,
} from "./recognize-program.ts";

/** Returns whether a project's launch must start in the project's folder, because another folder could decide which code runs. */
export function needsProjectFolder(
  line: readonly string[],
  program: RecognizedProgram,
  variables: Iterable<readonly [name: string, value: string]>,
  platform: string,
): boolean {
  for (const [name, value] of variables)
    if (namesRelativePath(name, value, platform) || mayNameOwnFolder(value)) return true;
  return line.some(mayNameOwnFolder) || !mayKeepWorkingFolder(line, program);
}

/**
 * Returns whether a launch could run other code in another folder, even with an absolute path to its script. Unknown
 * programs count only if an argument looks like a file.
 */
export function dependsOnFolder(
  { wrap = [], command, args, env }: Pick<StdioLaunch, "wrap" | "command" | "args" | "env">,
  platform: string,
): boolean {
  const line = [...wrap, command, ...args];
  const program = recognizeProgram(line, wrap.length);
  const { kind, at } = program;
  const isOnPath = kind === "other" && at === 0 && !/[\\/$]/.test(command);
  const isPackage = /^(?:npm|bunx|yarn|pnpm|uvx)$/.test(kind) && at === 0 && runsPackage(args);
  const mayBeFile = isContainer(command)
    ? looksLikeFile
    : (word: string) => looksLikeFile(word) || isBelowFolder(word);
  if (isPackage || (isOnPath && !args.some(mayBeFile)))
    return Object.entries(env).some(([name, value]) => namesRelativePath(name, value, platform));
  if (needsProjectFolder(line, program, Object.entries(env), platform)) return true;
  if (kind === "python" && importsFromFolder(line.slice(pythonOptionsAt(line, at)), true)) return true;
  return codeLoadedFromFolder(line[at] ?? "", line.slice(at + 1)) !== undefined;
}

/**
 * Returns whether a package runner gets one package and otherwise only words that are not files. The runner does not
 * look for the package's arguments in the folder, and words such as `stdio` or `${MODE}` are hardly files.
 */
function runsPackage(args: readonly string[]): boolean {
  const words = args.slice(verbLength(args));
  const at = words.findIndex((word) => !word.startsWith("-"));
  return (
    onlyNamesPackage(words.slice(0, at + 1)) &&
    !words.slice(0, at).some((word) => /^(?:-[cCw]|--(?!yes$|no$|quiet$|silent$|offline$))/.test(word)) &&
    words
      .slice(at + 1)
      .every((word) => /^(?:--?[\w-]+(?:=[\w-]*)?|\$\{\w+\}|[\w-]+|[\\/].*|https?:.*)$/.test(word))
  );
}

/** Matches `tools/run` and `--tool=tools/run`, but neither URLs nor package names such as `@acme/server`. */
function isBelowFolder(word: string): boolean {
  return /^(?:-[\w-]*=)?(?![-@]|[a-z]:|[a-z][a-z\d+.-]*:\/\/)[^\\/=]+[\\/]/i.test(word);
}

/** `./x`, `.`, `server.py`, `--config=./x`, `-v .:/data` */
function looksLikeFile(word: string): boolean {
  return (
    /(?:^|[=:,])\.{1,2}(?:[\\/:,]|$)|[^\\/]\.[a-z]\w{0,4}$/i.test(word) && !/^(?:[\\/]|https?:)/.test(word)
  );
}
