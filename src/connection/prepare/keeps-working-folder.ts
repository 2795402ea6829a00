import { codeArguments, programName } from "../../model/index.ts";
import { importsFromFolder, pythonOptionsAt, type RecognizedProgram } from "./recognize-program.ts";

/** Settings of Python's `-X` that do not name a file. */
const PYTHON_SETTINGS =
  "faulthandler|dev|utf8|importtime|tracemalloc|showrefcount|showalloccount|no_debug_ranges|warn_default_encoding|safe_path|frozen_modules|int_max_str_digits|cpu_count|gil|perf|perf_jit";

/**
 * Options that load no code, by interpreter. Those in `values` may have their value in the next word; they are compared as
 * option and value in one word. Other options may load code or take the next word.
 */
const HARMLESS: readonly (readonly [name: RegExp, flags: RegExp, values?: RegExp])[] = [
  [
    /^node(?:js)?$/,
    /^--(?:no-(?:warnings|deprecation|addons)|enable-source-maps|trace-(?:warnings|uncaught|deprecation|exit)|expose-gc|disable-warning=.*|max-old-space-size=\d+|unhandled-rejections=.*|title=.*|stack-trace-limit=\d+|experimental-strip-types|experimental-transform-types)$/,
    /^--(?:disable-warning|unhandled-rejections|title)$/,
  ],
  [
    /^(?:pythonw?|pypy)(?:\d(?:\.\d+)?t?)?$|^pyw?$/,
    new RegExp(`^-[bBdEIOPqsSuv]+$|^-W.+$|^-X(?:${PYTHON_SETTINGS})(?:=\\w*)?$`),
    /^-[WX]$/,
  ],
];
/**
 * Interpreters that take no code or settings from the folder they are started in, if their script is an absolute path. PHP and Lua
 * are not among them: their default search paths contain the folder.
 */
const RUNS_SCRIPT = /^(?:node|nodejs|(?:pythonw?|pypy)(?:\d(?:\.\d+)?t?)?|pyw?|ruby|perl|java|dotnet)$/;

/**
 * Returns whether a project's program may start in a subfolder of the project. That folder must not influence which code runs:
 * a script whose path can be made absolute, or a package runner without arguments that could name a file.
 */
export function mayKeepWorkingFolder(
  line: readonly string[],
  { kind, at, isWrapped }: RecognizedProgram,
): boolean {
  // env may set variables that load code, or enter another folder.
  if (isWrapped || line.slice(0, at).some((word) => programName(word).toLowerCase() === "env")) return false;
  const args = line.slice(at + 1);
  switch (kind) {
    case "npm":
    case "bunx":
    case "yarn":
    case "pnpm":
    case "uvx":
      return onlyNamesPackage(args.slice(verbLength(args)));
    case "python": {
      const options = line.slice(pythonOptionsAt(line, at));
      if (!importsFromFolder(options)) return runsScript(line[at] ?? "", options);
      return options[0] === "-m" && onlyNamesPackage(options.slice(1));
    }
    case "interpreter":
      return runsScript(line[at] ?? "", args);
    default:
      return false;
  }
}

/** The number of words between `npm`, `pnpm` or `uv` and the package. 0 for `npx x`. */
export function verbLength([first = "", second]: readonly string[]): number {
  if (first === "tool" && second === "run") return 2;
  return /^(?:exec|x|dlx)$/.test(first) && second !== undefined ? 1 : 0;
}

/** Packages that run a script given as an argument, or read settings from the working folder. */
const SCRIPT_PACKAGE = /^(?:tsx|ts-node|nodemon|bun|deno|node)(?:@|$)/;

/** Returns whether there is one package name and otherwise only options, absolute paths and URLs. */
export function onlyNamesPackage(words: readonly string[]): boolean {
  const others = words.filter((word) => !/^(?:[\\/]|[a-z]:[\\/]|https?:\/\/)/i.test(word));
  const [name = "", ...rest] = others.filter((word) => !word.startsWith("-"));
  const options = others.filter((word) => word.startsWith("-"));
  return (
    rest.length === 0 &&
    /^(?:@[\w.-]+\/)?\w[\w.-]*(?:(?:@|==)[\w.^~-]+)?$/.test(name) &&
    !SCRIPT_PACKAGE.test(name) &&
    options.every((word) => /^--?[\w-]+(?:=(?:[\\/]|https?:\/\/|\w[\w-]*$|$).*)?$/.test(word))
  );
}

/** Returns whether there is a script with only safe options before it. */
function runsScript(command: string, args: readonly string[]): boolean {
  const name = programName(command).toLowerCase();
  if (!RUNS_SCRIPT.test(name)) return false;
  const named = codeArguments(command, args);
  const script = named.find(({ isScript }) => isScript);
  if (script === undefined) return false;
  const [, flags = /^$/, values = /^$/] = HARMLESS.find(([pattern]) => pattern.test(name)) ?? [];
  for (let index = 0; index < script.index; index += 1) {
    const word = args[index] ?? "";
    const isNamed = named.some(
      (code) => code.index === index || (code.option === word && code.index === index + 1),
    );
    if (values.test(word)) {
      index += 1;
      // `-X` and its value are checked together as one word. Node's options have a `=` between them.
      const joined = [word, args[index] ?? ""].join(word.startsWith("--") ? "=" : "");
      if (!flags.test(joined)) return false;
    } else if (!isNamed && word !== "--" && !flags.test(word)) return false;
  }
  return true;
}
