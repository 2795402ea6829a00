import { codeArguments, isInterpreter, programName } from "../../model/index.ts";
import { namedFolder } from "./folder-programs.ts";

/** Programs that load code, packages or settings from their working folder, grouped by how to prevent it. */
export type ProgramKind =
  | "npm"
  | "bunx"
  | "yarn"
  | "pnpm"
  | "uvx"
  | "uvRun"
  | "pipx"
  | "deno"
  | "python"
  /** Other programs whose arguments name or contain the code they run. */
  | "interpreter"
  | "dotnetTool"
  | "r"
  /** A word that contains a command line: `sh -c "npx x"`. */
  | "text"
  /** Runs what files in the folder define: `npm run`, `make`. */
  | "folder"
  /** Runs what files in a folder define that an option names: `yarn --cwd /x start`. */
  | "namedFolder"
  | "other";

export interface RecognizedProgram {
  readonly kind: ProgramKind;
  /** Its index in the command line. */
  readonly at: number;
  /** Another program starts it and needs its own working folder. */
  readonly isWrapped: boolean;
  /** The text before the command line in a word that contains one, such as `--command=`. */
  readonly prefix?: string;
}

const FOLDER_PROGRAMS = new Set(
  `make gmake just task rake bundle cargo go poetry pdm hatch pipenv rye mvn gradle composer docker-compose turbo nx
   lerna`.split(/\s+/),
);
const REMOTE_MODULE = /^(?:npm|jsr|https?):/;
/** `-3.12` or `-V:3.12` selects a Python version in the Windows launcher. */
const PY_VERSION = /^-(?:\d|V:)/;

/** Programs with their own file system. Commands inside do not start in a folder of this machine. */
const CONTAINERS = new Set(
  `docker podman nerdctl container lxc kubectl oc ssh wsl vagrant multipass limactl`.split(/\s+/),
);
/** Returns whether the program has its own file system. */
export function isContainer(word: string): boolean {
  return CONTAINERS.has(programName(word).toLowerCase());
}

/** Further words are ignored, because the work grows quadratically. */
const MOST_WORDS = 1_000;
/** Options whose next word names a program without starting it. */
const NAMES_PROGRAM =
  /^(?:-p|--package|--python|--python-preference|--with|--from|--shell|--interpreter|--runtime|-u)$/;

/** Finds the program that decides what a command line runs: after `cmd /c`, `env` and `corepack`, or else the first known program. */
export function recognizeProgram(line: readonly string[], start: number): RecognizedProgram {
  const at = skipPrefixes(line, start);
  const outer = { kind: kindOf(line, at), at, isWrapped: start > 0 };
  if (outer.kind !== "other") return outer;
  return findPrograms(line, start).find((program) => program.at >= start) ?? outer;
}

/**
 * Finds every word that starts a known program or contains a command line. Every word is checked, because no list of programs
 * that start others is complete. Words after a container program are skipped.
 */
export function findPrograms(
  line: readonly string[],
  start: number,
  isInside: boolean = start > 0,
): readonly RecognizedProgram[] {
  const first = skipPrefixes(line, 0);
  const isMoved = line.slice(0, first).some((word) => /^(?:-[a-z0]*C|--chdir(?:=|$))/.test(word));
  const found: RecognizedProgram[] = [];
  for (let index = 0; index < Math.min(line.length, MOST_WORDS); index += 1) {
    const word = line[index] ?? "";
    if (isContainer(word)) break;
    const text = textIn(line, index);
    if (text !== undefined) {
      const isOnly = index === line.length - 1 && SHELL.test(programName(line[0] ?? ""));
      found.push({ kind: "text", at: index, isWrapped: isInside || !isOnly, prefix: text });
      continue;
    }
    if (NAMES_PROGRAM.test(line[index - 1] ?? "")) continue;
    const at = /^node(?:js)?$/i.test(programName(word)) ? (runnerScript(line, index) ?? index) : index;
    const kind = kindOf(line, at);
    const isFirst = at === first;
    if (kind === "folder" && isFirst) break;
    if (kind === "namedFolder" && isFirst) return [...found, { kind, at, isWrapped: isMoved }];
    const isProgram = isFirst || (line[at + 1] !== undefined && (kind !== "r" || word === "R"));
    if (kind === "folder" || kind === "other" || !isProgram) continue;
    found.push({ kind, at, isWrapped: isMoved || !isFirst || (isInside && at >= start) });
    index = at;
  }
  return found;
}

const SHELL = /^(?:(?:ba|da|z|k|fi|a)?sh|cmd|pwsh|powershell)$/i;
const TEXT_OPTION =
  /^(?:eval|-[a-z]*c|-[ex]|\/[ck]|-[iv0]*S|-command|--(?:command|call|split-string|stdio|exec|cmd|run))$/i;

/** Returns the text before the command line in a word, or `undefined` if the word contains none. */
function textIn(line: readonly string[], at: number): string | undefined {
  const word = line[at] ?? "";
  if (!/\S\s+\S/.test(word)) return undefined;
  const [, option] = /^(-[iv0]*S|--[\w-]+=)\S/.exec(word) ?? [];
  if (option !== undefined) return TEXT_OPTION.test(option.replace("=", "")) ? option : undefined;
  const before = (line[at - 1] === "--" ? line[at - 2] : line[at - 1]) ?? "";
  if (!TEXT_OPTION.test(before)) return undefined;
  // `python -c` and `node -e` are followed by code, not by a command line.
  const owner = before.startsWith("--") ? undefined : line.slice(0, at - 1).findLast(isInterpreter);
  return owner === undefined || SHELL.test(programName(owner)) ? "" : undefined;
}

/** Options of `env` that take the next word as their value. */
const ENV_VALUES = /^(?:-[i0v]*[uCPa]|--unset|--chdir|--argv0)$/;

function skipPrefixes(line: readonly string[], start: number): number {
  const name = programName(line[start] ?? "").toLowerCase();
  let next = start + 1;
  if (name === "cmd") while (line[next]?.startsWith("/") === true) next += 1;
  else if (name === "env")
    while (/^(?:-|[A-Za-z_]\w*=)/.test(line[next] ?? "")) next += ENV_VALUES.test(line[next] ?? "") ? 2 : 1;
  else if (name === "node" || name === "nodejs") return runnerScript(line, start) ?? start;
  else if (!/^(?:corepack|exec|command|[a-z_]\w*=.*)$/s.test(name)) return start;
  return line[next] === undefined ? start : skipPrefixes(line, next);
}

/** `node /usr/lib/node_modules/npm/bin/npx-cli.js` is also npx. */
function runnerScript(line: readonly string[], start: number): number | undefined {
  const script = codeArguments("node", line.slice(start + 1)).find(({ isScript }) => isScript);
  return script !== undefined && RUNNER_SCRIPT.test(script.value) ? start + 1 + script.index : undefined;
}

const RUNNER_SCRIPT = /(?:^|[\\/])(npx|npm|pnpx|pnpm|yarn|yarnpkg)(?:-cli|-\d[\w.-]*)?(?:\.[cm]?js)?$/;

/** Returns the program name in lower case. A runner's script counts as the runner. */
export function nameOf(word: string): string {
  return (RUNNER_SCRIPT.exec(word)?.[1] ?? programName(word)).toLowerCase();
}

function kindOf(line: readonly string[], at: number): ProgramKind {
  const kind = plainKindOf(line, at);
  const isNamed = kind === "folder" && namedFolder(nameOf(line[at] ?? ""), line.slice(at + 1)) !== undefined;
  return isNamed ? "namedFolder" : kind;
}

function plainKindOf(line: readonly string[], at: number): ProgramKind {
  const name = nameOf(line[at] ?? "");
  const args = line.slice(at + 1);
  const verb = (...known: string[]): string | undefined => args.find((word) => known.includes(word));
  switch (name) {
    case "npx":
      return "npm";
    case "npm":
      return verb("exec", "exe", "x", "run", "run-script", "rum", "urn", "start", "test")?.match(/^e?x/)
        ? "npm"
        : "folder";
    case "pnpx":
      return "pnpm";
    case "pnpm":
    case "pn":
      return verb("dlx", "exec", "run", "start", "test") === "dlx" ? "pnpm" : "folder";
    case "yarn":
    case "yarnpkg":
      return verb("dlx", "exec", "run", "start", "test") === "dlx" ? "yarn" : "folder";
    case "bunx":
      return "bunx";
    case "bun":
      return verb("x", "run", "exec") === "x" && !args.some((word, index) => isScript(word, args, index))
        ? "bunx"
        : "interpreter";
    case "uvx":
      return "uvx";
    case "uv":
      return uvKind(args);
    case "pipx":
      return verb("run", "runpip") === "run" ? "pipx" : "other";
    case "dx":
      return "deno";
    case "deno":
      if (args.some((word) => REMOTE_MODULE.test(word)) || /^(?:x|eval)$/.test(args[0] ?? "")) return "deno";
      return args[0] === "task" ? "folder" : "interpreter";
    case "dnx":
      return "dotnetTool";
    case "dotnet":
      if (args[0] === "dnx" || (args[0] === "tool" && args[1] === "exec")) return "dotnetTool";
      return args[0] === "run" || args[0] === "tool" ? "folder" : "interpreter";
    case "mise":
      return args[0] === "exec" || args[0] === "x" ? "other" : "folder";
    case "r":
      return /^R$/.test(programName(line[at] ?? "")) ? "r" : "other";
    case "docker":
      return args[0] === "compose" ? "folder" : "other";
    default:
      if (/^(?:pythonw?|pypy)(?:\d(?:\.\d+)?t?)?$|^pyw?$/.test(name)) return "python";
      if (FOLDER_PROGRAMS.has(name)) return "folder";
      return isInterpreter(line[at] ?? "") ? "interpreter" : "other";
  }
}

/** Returns whether a word is Bun's script: `bun ./server.ts x` passes `x` to the script. */
function isScript(word: string, args: readonly string[], index: number): boolean {
  return (
    index < args.indexOf("x") &&
    !word.startsWith("-") &&
    /[\\/.]/.test(word) &&
    !/^--?(?:cwd|config|c)$/.test(args[index - 1] ?? "")
  );
}

function uvKind(args: readonly string[]): ProgramKind {
  const verb = args.find((word) => word === "run" || word === "tool");
  if (verb === "run") return "uvRun";
  return verb === "tool" && args[args.indexOf("tool") + 1] === "run" ? "uvx" : "other";
}

/** Returns the index of Python's options. The Windows launcher may have a version before them. */
export function pythonOptionsAt(line: readonly string[], at: number): number {
  return PY_VERSION.test(line[at + 1] ?? "") ? at + 2 : at + 1;
}

/** Returns whether Python would import from its working folder. It does for `-m`, `-c` and standard input, unless `-I` or `-P` is set. */
export function importsFromFolder(options: readonly string[], isFirst = false): boolean {
  for (let index = 0; index < options.length; index += 1) {
    const word = options[index] ?? "";
    if (word === "-") return true;
    if (!word.startsWith("-")) return false;
    if (word.startsWith("--")) {
      if (word === "--check-hash-based-pycs") index += 1;
      continue;
    }
    for (const [position, letter] of Array.from(word.slice(1)).entries()) {
      if (letter === "I" || letter === "P") return false;
      if (letter === "m" || letter === "c") return true;
      if (letter !== "W" && letter !== "X") continue;
      if (position === word.length - 2) index += 1;
      break;
    }
  }
  return isFirst; // otherwise these words may not be a command line
}
