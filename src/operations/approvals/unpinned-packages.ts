import { programName } from "../../model/index.ts";

/** How a package runner's command line names packages. */
interface Runner {
  /** Flags whose value is a package. After a flag in `instead`, the first word is a program, not a package. */
  readonly packageFlags: readonly string[];
  readonly instead: readonly string[];
  /** Other flags that take the next word. */
  readonly valueFlags: readonly string[];
  /** The first word that is not a flag is not a package. */
  readonly flagsOnly?: true;
  isPinned(spec: string): boolean;
}

const words = (text: string): string[] => text.split(/\s+/);

const EXACT_VERSION = /^[v=]*\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;
const COMMIT = /[#@][0-9a-f]{40}$/;
const LOCAL_PATH = /^(?:\.$|\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/]|file:)/;

const NPM: Runner = {
  packageFlags: ["-p", "--package"],
  instead: ["-p", "--package"],
  valueFlags: words(
    "--registry --cache --userconfig --prefix -w --workspace --shell --loglevel --script-shell",
  ),
  isPinned(spec) {
    const [, version = ""] = /^(?:@[^/@]+\/)?[^/@]+@(?:npm:(?:@[^/@]+\/)?[^/@]+@)?([^@]+)$/.exec(spec) ?? [];
    return LOCAL_PATH.test(spec) || COMMIT.test(spec) || EXACT_VERSION.test(version);
  },
};

const PYTHON: Runner = {
  packageFlags: words("--from --spec --with"),
  instead: words("--from --spec"),
  valueFlags:
    words(`-p --python -i --index --index-url --default-index --extra-index-url -f --find-links --directory --project
    --with-editable --with-requirements -c --constraints --build-constraints --overrides --pip-args --env-file --refresh-package
    --cache-dir --config-file --allow-insecure-host --keyring-provider --resolution --prerelease --exclude-newer`),
  isPinned: (spec) =>
    LOCAL_PATH.test(spec) ||
    COMMIT.test(spec) ||
    /#sha256=[0-9a-f]{64}/.test(spec) ||
    /^[\w.-]+(?:\[[^\]]*\])?\s*===?\s*\d[\w.+!-]*$/.test(spec) ||
    /^[\w.-]+(?:\[[^\]]*\])?@\d[\w.+!-]*$/.test(spec),
};

/** `uv run` runs the project; only what it adds is a package. */
const UV_RUN: Runner = { ...PYTHON, instead: [], flagsOnly: true };

const DENO: Runner = {
  packageFlags: [],
  instead: [],
  valueFlags: words("-c --config --import-map --lock --cert --location --seed --env-file"),
  // One digit and then any text: two parts that both match digits would take quadratic time.
  isPinned: (spec) => !/^(?:npm|jsr):/.test(spec) || /@\d+\.\d+\.\d[^@/]*(?:\/[^@]*)?$/.test(spec),
};

/** The words that form a runner's command, in order. */
const RUNNERS: readonly (readonly [readonly string[], Runner])[] = [
  ...["npx", "pnpx", "bunx", "npm exec", "npm x", "bun x", "pnpm dlx", "yarn dlx"].map(
    (call) => [call.split(" "), NPM] as const,
  ),
  ...["uvx", "uv tool run", "pipx run"].map((call) => [call.split(" "), PYTHON] as const),
  [["uv", "run"], UV_RUN],
  [["deno", "run"], DENO],
];

/** Reports that a command line was too long to check to its end. */
export const UNCHECKED_REST = "(the rest of the command line, which is too long to check)";
/** How many characters are examined in total. A word counts once for every runner before it. */
const MOST_WORK = 200_000;

/** Returns the packages and images that a command line runs without a fixed version. */
export function unpinnedPackages(line: readonly string[]): string[] {
  return new Search().find(line);
}

/** Like `unpinnedPackages`, for a shell command line. */
export function unpinnedInShell(line: string): string[] {
  return new Search().find([` ${line}`]);
}

/** Finds packages within a limited amount of work: config files of unknown origin decide how long a command line is. */
class Search {
  readonly #found = new Set<string>();
  #work = MOST_WORK;

  find(line: readonly string[]): string[] {
    this.#visit(line);
    if (this.#work < 0) this.#found.add(UNCHECKED_REST);
    return [...this.#found];
  }

  /** Returns whether there is work left for a text of this length. */
  #spend(length: number): boolean {
    this.#work -= length + 1;
    return this.#work >= 0;
  }

  #visit(line: readonly string[]): void {
    for (let at = 0; at < line.length && this.#work >= 0; at += 1) {
      const word = line[at] ?? "";
      const start = word.slice(0, this.#work >> 1); // splitting it takes as much work as its parts
      const isWhole = start.length === word.length;
      this.#spend(start.length);
      if (/\s/.test(start)) this.#visit(start.split(/[\s;|&()'"`$]+/).filter(Boolean));
      if (isWhole) this.#visitProgram(line, at, programName(word).toLowerCase());
      else this.#work = -1;
    }
  }

  #visitProgram(line: readonly string[], at: number, name: string): void {
    if (/^(?:docker|podman|nerdctl)$/.test(name)) this.#visitImage(line, at + 1);
    for (const [[first, ...verbs], runner] of RUNNERS) {
      const start = first === name ? this.#afterVerbs(line, at + 1, verbs) : undefined;
      if (start === undefined) continue;
      this.#visitPackages(line, start, runner);
      return;
    }
  }

  /** The index after the verbs, which may have flags before them. */
  #afterVerbs(line: readonly string[], start: number, verbs: readonly string[]): number | undefined {
    let at = start;
    for (const verb of verbs) {
      while (line[at]?.startsWith("-") && this.#spend(0)) at += 1;
      if (line[at] !== verb) return undefined;
      at += 1;
    }
    return at;
  }

  #visitPackages(line: readonly string[], start: number, runner: Runner): void {
    const { packageFlags, instead, valueFlags, flagsOnly } = runner;
    let isNamed = flagsOnly === true;
    for (let at = start; at < line.length; at += 1) {
      const word = line[at] ?? "";
      if (!this.#spend(word.length)) return;
      if (!word.startsWith("-") || word === "-") {
        if (!isNamed) this.#addPackages([word], runner);
        return;
      }
      if (word === "--") continue;
      const equals = word.indexOf("=");
      const flag = equals === -1 ? word : word.slice(0, equals);
      const value = equals === -1 ? line[at + 1] : word.slice(equals + 1);
      if (packageFlags.includes(flag) && value !== undefined) {
        if (!this.#spend(value.length)) return;
        this.#addPackages(value.split(","), runner);
      }
      if (instead.includes(flag)) isNamed = true;
      if (equals === -1 && (packageFlags.includes(flag) || valueFlags.includes(flag))) at += 1;
    }
  }

  #addPackages(specs: readonly string[], { isPinned }: Runner): void {
    for (const spec of specs) if (!isPinned(spec)) this.#found.add(spec);
  }

  /** `docker run [flags] image [command]`: most flags take a value. */
  #visitImage(line: readonly string[], start: number): void {
    let at = start;
    while (at < line.length && line[at] !== "run" && this.#spend(0)) at += 1;
    for (at += 1; at < line.length; at += 1) {
      const word = line[at] ?? "";
      if (!this.#spend(word.length)) return;
      if (!word.startsWith("-")) {
        if (!isPinnedImage(word)) this.#found.add(word);
        return;
      }
      if (word.startsWith("--")) {
        if (!word.includes("=") && !IMAGE_SWITCHES.has(word)) at += 1;
      } else if (/^-[itdPq]*[^itdPq]$/.test(word)) at += 1; // `-e NAME`, `-ie NAME`; `-eNAME` has its value
    }
  }
}

const IMAGE_SWITCHES = new Set(
  words(
    "--rm --init --privileged --read-only --interactive --tty --detach --publish-all --quiet --no-healthcheck",
  ),
);

function isPinnedImage(image: string): boolean {
  const [last = ""] = image.split("/").slice(-1);
  const [, tag = "latest"] = last.split(":");
  return /@sha256:[0-9a-f]{64}$/.test(image) || (tag !== "latest" && !tag.startsWith("$"));
}
