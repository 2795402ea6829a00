import { programName } from "../model/index.ts";

/** Where a package comes from, in OSV's names. Images have no OSV name. */
export type Ecosystem = "npm" | "PyPI" | "oci";

/** The package or image that a command line runs. */
export interface LaunchPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** The version, range, tag or digest as written. */
  readonly version?: string;
  /** Whether the version always means the same release. */
  readonly isExact: boolean;
}

/** Longer words are not package names. */
const LONGEST_SPEC = 500;
const EXACT = /^[v=]*\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;
const EXACT_PYTHON = /^\d[\w.+!-]*$/;
const NPM_VALUES =
  /^(?:--(?:registry|cache|userconfig|prefix|workspace|loglevel|script-shell|dir|reporter|cwd|config)|-w|-C)$/;
const PYTHON_VALUES =
  /^(?:-p|--python|-i|--index|--index-url|--default-index|--extra-index-url|--with|--directory|--project|--env-file|--pip-args|--cache-dir)$/;

/** Returns the package that a command line runs, or `undefined` if it runs no package of a registry. */
export function packageOfLaunch(line: readonly string[]): LaunchPackage | undefined {
  const [command = "", ...rest] = line[0] === "cmd" && line[1] === "/c" ? line.slice(2) : line;
  const [verb, second] = rest;
  switch (programName(command).toLowerCase()) {
    case "npx":
    case "bunx":
    case "pnpx":
      return npmPackage(rest);
    case "npm":
      return verb === "exec" || verb === "x" ? npmPackage(rest.slice(1)) : undefined;
    case "bun":
      return verb === "x" ? npmPackage(rest.slice(1)) : undefined;
    case "pnpm":
    case "yarn":
      return verb === "dlx" ? npmPackage(rest.slice(1)) : undefined;
    case "uvx":
      return pythonPackage(rest, /^--from$/);
    case "uv":
      return verb === "tool" && second === "run" ? pythonPackage(rest.slice(2), /^--from$/) : undefined;
    case "pipx":
      return verb === "run" ? pythonPackage(rest.slice(1), /^--spec$/) : undefined;
    case "docker":
    case "podman":
    case "nerdctl":
      return image(rest);
    default:
      return undefined;
  }
}

function npmPackage(words: readonly string[]): LaunchPackage | undefined {
  const spec = findSpec(words, /^(?:-p|--package)$/, NPM_VALUES);
  return spec === undefined ? undefined : parseNpmSpec(spec);
}

/** Parses `name`, `name@version` and `alias@npm:name@version`. Returns `undefined` for folders, URLs and repositories. */
export function parseNpmSpec(spec: string): LaunchPackage | undefined {
  if (spec.length > LONGEST_SPEC) return undefined;
  const [, aliased] = /^(?:@[^/@]+\/)?[^/@]+@npm:(.+)$/.exec(spec) ?? [];
  const [, name, version] =
    /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@([^/:]*))?$/i.exec(aliased ?? spec) ?? [];
  if (name === undefined) return undefined;
  return {
    ecosystem: "npm",
    name,
    ...(version !== undefined && version !== "" && { version }),
    isExact: EXACT.test(version ?? ""),
  };
}

function pythonPackage(words: readonly string[], from: RegExp): LaunchPackage | undefined {
  const spec = findSpec(words, from, PYTHON_VALUES);
  if (spec === undefined || spec.length > LONGEST_SPEC) return undefined;
  const [, name, operator, version] =
    /^([\w.-]+)(?:\[[^\]]*\])?\s*(?:(===?|[<>~!]=?|@)\s*(.+))?$/.exec(spec) ?? [];
  if (name === undefined || /^\.|^-/.test(name)) return undefined;
  const isVersion = operator === "@" || operator?.startsWith("==") === true;
  if (operator === "@" && /[/:]/.test(version ?? "")) return undefined;
  return {
    ecosystem: "PyPI",
    name: name.toLowerCase().replaceAll(/[-_.]+/g, "-"),
    ...(version !== undefined && { version: isVersion ? version : `${operator ?? ""}${version}` }),
    isExact: isVersion && EXACT_PYTHON.test(version ?? ""),
  };
}

/** Returns the value of a package option, or else the first word that is not an option. */
function findSpec(words: readonly string[], named: RegExp, values: RegExp): string | undefined {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") return words[at + 1];
    if (!word.startsWith("-")) return word;
    const equals = word.indexOf("=");
    const option = equals === -1 ? word : word.slice(0, equals);
    if (named.test(option)) return equals === -1 ? words[at + 1] : word.slice(equals + 1);
    if (equals === -1 && values.test(option)) at += 1;
  }
  return undefined;
}

const IMAGE_SWITCHES =
  /^--(?:rm|init|privileged|read-only|interactive|tty|detach|publish-all|quiet|no-healthcheck)$/;

/** `docker run [options] image [command]`: most options take a value. */
function image(words: readonly string[]): LaunchPackage | undefined {
  for (let at = words.indexOf("run") + 1; at > 0 && at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) return parseImage(word);
    if (
      word.startsWith("--")
        ? !word.includes("=") && !IMAGE_SWITCHES.test(word)
        : /^-[itdPq]*[^itdPq]$/.test(word)
    )
      at += 1;
  }
  return undefined;
}

function parseImage(word: string): LaunchPackage | undefined {
  if (word.length > LONGEST_SPEC) return undefined;
  const [, name, tag, digest] =
    /^((?:[\w.-]+(?::\d+)?\/)?[\w./-]+?)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(word) ?? [];
  if (name === undefined) return undefined;
  const version = digest ?? tag;
  return {
    ecosystem: "oci",
    name,
    ...(version !== undefined && { version }),
    isExact: digest !== undefined,
  };
}
