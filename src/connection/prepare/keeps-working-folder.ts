import { codeArguments, programName } from "../../model/index.ts";
import { importsFromFolder, pythonOptionsAt, type RecognizedProgram } from "./recognize-program.ts";

/** Safe options by interpreter: they do not load code. `values` are safe options that take the next word. */
const HARMLESS: readonly (readonly [name: RegExp, flags: RegExp, values?: RegExp])[] = [
  [
    /^node(?:js)?$/,
    /^--(?:no-(?:warnings|deprecation|addons)|enable-source-maps|trace-(?:warnings|uncaught|deprecation|exit)|expose-gc|disable-warning=.*|max-old-space-size=\d+|unhandled-rejections=.*|title=.*|stack-trace-limit=\d+|experimental-strip-types|experimental-transform-types)$/,
    /^--(?:disable-warning|unhandled-rejections|title)$/,
  ],
  [/^(?:pythonw?|pypy)(?:\d(?:\.\d+)?t?)?$|^pyw?$/, /^-[bBdEIOPqsSuv]+$|^-[WX].+$/, /^-[WX]$/],
];
/** Interpreters that load no code or settings from the working folder if their script has an absolute path. */
const RUNS_SCRIPT =
  /^(?:node|nodejs|(?:pythonw?|pypy)(?:\d(?:\.\d+)?t?)?|pyw?|ruby|perl|php|lua|luajit|java|dotnet)$/;

/**
 * Returns whether a project's program may start in a subfolder of the project. That folder must not influence which code runs:
 * a script whose path can be made absolute, or a package runner without arguments that could name a file.
 */
export function keepsWorkingFolder(
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

/** Returns how many words come between `npm`, `pnpm` or `uv` and the package: 0 for `npx x`. */
function verbLength([first = "", second]: readonly string[]): number {
  if (first === "tool" && second === "run") return 2;
  return /^(?:exec|x|dlx)$/.test(first) && second !== undefined ? 1 : 0;
}

/** Packages that run a script given as an argument, or read settings from the working folder. */
const SCRIPT_PACKAGE = /^(?:tsx|ts-node|nodemon|bun|deno|node)(?:@|$)/;

/** Returns whether the words are one package name and otherwise only options, absolute paths and URLs. */
function onlyNamesPackage(words: readonly string[]): boolean {
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
    if (values.test(word)) index += 1;
    else if (!isNamed && word !== "--" && !flags.test(word)) return false;
  }
  return true;
}
