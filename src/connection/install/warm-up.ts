import type { ProgramKind } from "../prepare/recognize-program.ts";
import { uvTarget } from "../prepare/uv-arguments.ts";

/** A command line that makes a package runner install a package without starting its program. */
export interface WarmUpLine {
  readonly package: string;
  readonly line: readonly string[];
}

/** Options of pnpm, Yarn and Bun that take the next word as their value. */
const VALUES = /^(?:-p|--package|--dir|-C|--registry|--reporter|--cwd|-c|--config|--allow-build)$/;
const PIPX_VALUES = /^(?:--spec|--python|--pip-args|--index-url|-i|--with|--backend)$/;

/** Returns the warm-up for the package runner at an index of a command line, or `undefined` if it is not recognized. */
export function warmUpLine(line: readonly string[], at: number, kind: ProgramKind): WarmUpLine | undefined {
  switch (kind) {
    case "pnpm":
    case "yarn":
    case "bunx":
      return forNode(line, at, kind);
    case "uvx":
      return forUv(line, at);
    case "pipx":
      return forPipx(line, at);
    default:
      return undefined;
  }
}

/** `--package X node` installs the same packages as `X`, but `node --version` does not start the program. */
function forNode(
  line: readonly string[],
  at: number,
  kind: "pnpm" | "yarn" | "bunx",
): WarmUpLine | undefined {
  const verb = kind === "bunx" ? "x" : "dlx";
  const first = /^(?:pnpx|bunx)(?:\.\w+)?$/i.test(line[at]?.split(/[\\/]/).at(-1) ?? "")
    ? at + 1
    : line.indexOf(verb, at) + 1;
  if (first === 0) return undefined;
  const { target, named } = findTarget(line, first, VALUES, /^(?:-p|--package)$/);
  const spec = named ?? line[target];
  if (spec === undefined || line[target] === undefined) return undefined;
  const asked = named === undefined ? (kind === "yarn" ? ["-p", spec] : [`--package=${spec}`]) : [];
  return { package: spec, line: [...line.slice(0, target), ...asked, "node", "--version"] };
}

/** `uvx --with X python` downloads and builds everything that `uvx X` needs. */
function forUv(line: readonly string[], at: number): WarmUpLine | undefined {
  const words = line.slice(at + 1);
  const target = uvTarget(words);
  const program = words[target];
  if (program === undefined) return undefined;
  const options = words.slice(0, target).filter((word) => word !== "--");
  const from = options.findIndex((word) => /^--from(?:=|$)/.test(word));
  const inline = options[from]?.startsWith("--from=") === true;
  const named = from === -1 ? undefined : inline ? options[from]?.slice(7) : options[from + 1];
  const rest = from === -1 ? options : options.toSpliced(from, inline ? 1 : 2);
  const spec = named ?? program;
  const requirement = spec.replace(/^([\w.[\],-]+)@(.+)$/, (_, name: string, version: string) =>
    version === "latest" ? name : `${name}==${version}`,
  );
  return {
    package: spec,
    line: [...line.slice(0, at + 1), ...rest, "--with", requirement, "python", "-c", ""],
  };
}

/** pipx can start any program of a package's environment, including its Python. */
function forPipx(line: readonly string[], at: number): WarmUpLine | undefined {
  const run = line.indexOf("run", at);
  if (run === -1) return undefined;
  const { target, named } = findTarget(line, run + 1, PIPX_VALUES, /^--spec$/);
  const spec = named ?? line[target];
  if (spec === undefined || line[target] === undefined) return undefined;
  const asked = named === undefined ? ["--spec", spec] : [];
  return { package: spec, line: [...line.slice(0, target), ...asked, "python", "-c", ""] };
}

/** Returns the index of the program after a runner's options, and the package that an option names. */
function findTarget(
  line: readonly string[],
  start: number,
  values: RegExp,
  names: RegExp,
): { readonly target: number; readonly named: string | undefined } {
  let named: string | undefined;
  let index = start;
  for (; line[index]?.startsWith("-") === true && line[index] !== "--"; index += 1) {
    const [, option = line[index] ?? "", inline] = /^(--[\w-]+)=(.*)$/s.exec(line[index] ?? "") ?? [];
    if (names.test(option)) named ??= inline ?? line[index + 1];
    if (inline === undefined && values.test(option)) index += 1;
  }
  return { target: line[index] === "--" ? index + 1 : index, named };
}
