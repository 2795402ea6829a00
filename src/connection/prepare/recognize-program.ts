import { codeArguments, programName } from "../../model/index.ts";

/** Programs that take code, packages or settings from the folder they are started in, by how that is changed. */
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
  /** Runs what the folder's own files define: `npm run`, `make`. */
  | "folder"
  | "other";

export interface RecognizedProgram {
  readonly kind: ProgramKind;
  /** Its index in the command line. */
  readonly at: number;
  /** It is started by another program, which needs the folder it was meant to start in. */
  readonly isWrapped: boolean;
}

const FOLDER_PROGRAMS = new Set(
  `make gmake just task rake bundle cargo go poetry pdm hatch pipenv rye mvn gradle composer docker-compose turbo nx
   mise lerna`.split(/\s+/),
);
const REMOTE_MODULE = /^(?:npm|jsr|https?):/;
/** `-3.12` or `-V:3.12`: which Python the launcher of Windows starts. */
const PY_VERSION = /^-(?:\d|V:)/;

/** Programs whose arguments are another command line, after options of their own. */
const STARTERS = new Set(
  `nice ionice timeout nohup setsid stdbuf time xvfb-run caffeinate arch sudo doas proxychains proxychains4 fnm volta direnv
   dotenv dotenvx op doppler infisical aws-vault nvm-exec taskset chrt numactl dumb-init tini firejail strace mcp-proxy conda
   mamba micromamba`.split(/\s+/),
);

/**
 * Finds the program that decides what runs in a command line. Looks behind `cmd /c`, `env NAME=value` and `corepack`, behind
 * programs that start another one, and behind `--`.
 */
export function recognizeProgram(line: readonly string[], start: number): RecognizedProgram {
  const at = skipPrefixes(line, start);
  const outer = { kind: kindOf(line, at), at, isWrapped: start > 0 };
  if (outer.kind !== "other") return outer;
  const isStarter = STARTERS.has(programName(line[at] ?? "").toLowerCase());
  const separator = line.indexOf("--", at + 1);
  const first = isStarter ? at + 1 : separator === -1 ? line.length : separator + 1;
  const last = isStarter ? line.length - 1 : first;
  for (let index = first; index <= last && index < line.length; index += 1) {
    const inner = skipPrefixes(line, index);
    const kind = kindOf(line, inner);
    if (kind !== "other") return { kind, at: inner, isWrapped: true };
  }
  return outer;
}

/** Options of `env` whose next word is a value. */
const ENV_VALUES = /^(?:-[i0v]*[uCPa]|--unset|--chdir|--argv0)$/;

function skipPrefixes(line: readonly string[], start: number): number {
  const name = programName(line[start] ?? "").toLowerCase();
  let next = start + 1;
  if (name === "cmd") while (line[next]?.startsWith("/") === true) next += 1;
  else if (name === "env")
    while (/^(?:-|[A-Za-z_]\w*=)/.test(line[next] ?? "")) next += ENV_VALUES.test(line[next] ?? "") ? 2 : 1;
  else if (name === "node" || name === "nodejs") return runnerScript(line, start) ?? start;
  else if (name !== "corepack") return start;
  return line[next] === undefined ? start : skipPrefixes(line, next);
}

/** `node /usr/lib/node_modules/npm/bin/npx-cli.js` is npx, too. */
function runnerScript(line: readonly string[], start: number): number | undefined {
  const script = codeArguments("node", line.slice(start + 1)).find(({ isScript }) => isScript);
  return script !== undefined && RUNNER_SCRIPT.test(script.value) ? start + 1 + script.index : undefined;
}

const RUNNER_SCRIPT = /(?:^|[\\/])(npx|npm|pnpx|pnpm|yarn|yarnpkg)(?:-cli|-\d[\w.-]*)?(?:\.[cm]?js)?$/;

/** The name that decides, in lower case. */
function nameOf(word: string): string {
  return (RUNNER_SCRIPT.exec(word)?.[1] ?? programName(word)).toLowerCase();
}

function kindOf(line: readonly string[], at: number): ProgramKind {
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
        : "other";
    case "uvx":
      return "uvx";
    case "uv":
      return uvKind(args);
    case "pipx":
      return verb("run", "runpip") === "run" ? "pipx" : "other";
    case "dx":
      return "deno";
    case "deno":
      if (args.some((word) => REMOTE_MODULE.test(word)) || args[0] === "x") return "deno";
      return args[0] === "task" ? "folder" : "other";
    case "dotnet":
      return args[0] === "run" || args[0] === "tool" ? "folder" : "other";
    case "docker":
      return args[0] === "compose" ? "folder" : "other";
    default:
      if (/^(?:pythonw?|pypy)(?:\d(?:\.\d+)?t?)?$|^pyw?$/.test(name)) return "python";
      return FOLDER_PROGRAMS.has(name) ? "folder" : "other";
  }
}

/** `bun ./server.ts x` gives `x` to the script. */
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

/** How many words come between the Python launcher and its options. */
export function pythonOptionsAt(line: readonly string[], at: number): number {
  return PY_VERSION.test(line[at + 1] ?? "") ? at + 2 : at + 1;
}

/** Would this Python import from the folder it is started in? It does for `-m`, `-c` and `-`, unless told not to. */
export function importsFromFolder(options: readonly string[]): boolean {
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
  return false;
}
