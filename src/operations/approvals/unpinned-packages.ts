import { programName } from "../../model/index.ts";

/** How a package runner takes its packages. */
interface Runner {
  /** Flags whose value is a package. After a flag in `instead`, the first word is a program, not a package. */
  readonly packageFlags: readonly string[];
  readonly instead: readonly string[];
  /** Other flags that take a value. */
  readonly valueFlags: readonly string[];
  /** `true` if only flags name packages. */
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

/** `uv run` runs the project, so only flags name packages. */
const UV_RUN: Runner = { ...PYTHON, instead: [], flagsOnly: true };

const DENO: Runner = {
  packageFlags: [],
  instead: [],
  valueFlags: words("-c --config --import-map --lock --cert --location --seed --env-file"),
  isPinned: (spec) => !/^(?:npm|jsr):/.test(spec) || /@\d+\.\d+\.\d+[^@/]*(?:\/[^@]*)?$/.test(spec),
};

/** Runners by the words of their command. */
const RUNNERS: readonly (readonly [readonly string[], Runner])[] = [
  ...["npx", "pnpx", "bunx", "npm exec", "npm x", "bun x", "pnpm dlx", "yarn dlx"].map(
    (call) => [call.split(" "), NPM] as const,
  ),
  ...["uvx", "uv tool run", "pipx run"].map((call) => [call.split(" "), PYTHON] as const),
  [["uv", "run"], UV_RUN],
  [["deno", "run"], DENO],
];

/** Like `unpinnedPackages`, for a shell command line. */
export function unpinnedInShell(line: string): string[] {
  return unpinnedPackages(line.split(/[\s;|&()'"`$]+/).filter(Boolean));
}

/** Returns the packages and images that a command line runs without an exact version. */
export function unpinnedPackages(line: readonly string[]): string[] {
  const images = new Map<number, string[]>();
  let nextRun = -1;
  const found = line.flatMap((word, at): string[] => {
    const inside = /\s/.test(word) ? unpinnedInShell(word) : [];
    const name = programName(word).toLowerCase();
    if (/^(?:docker|podman|nerdctl)$/.test(name)) return [...inside, ...imagesAfter(at)];
    for (const [[first, ...more], rules] of RUNNERS) {
      const start = first === name ? skipWords(line, at + 1, more) : undefined;
      if (start !== undefined) return packagesIn(line, start, rules).filter((spec) => !rules.isPinned(spec));
    }
    return inside;
  });
  return [...new Set(found)];

  /** Every `docker` before the same `run` starts the same image: it is looked for once, however long the line is. */
  function imagesAfter(at: number): string[] {
    if (nextRun !== NONE && nextRun <= at) {
      const run = line.indexOf("run", at + 1);
      nextRun = run === -1 ? NONE : run;
    }
    if (nextRun === NONE) return [];
    const known = images.get(nextRun) ?? unpinnedImages(line, nextRun + 1);
    images.set(nextRun, known);
    return known;
  }
}

/** Where the words after these begin; options may stand between them. Nothing if other words come first. */
function skipWords(line: readonly string[], start: number, wanted: readonly string[]): number | undefined {
  let at = start;
  for (const word of wanted) {
    while (line[at]?.startsWith("-") === true) at += 1;
    if (line[at] !== word) return undefined;
    at += 1;
  }
  return at;
}

function packagesIn(line: readonly string[], start: number, runner: Runner): string[] {
  const { packageFlags, instead, valueFlags, flagsOnly } = runner;
  const packages: string[] = [];
  let isNamed = flagsOnly === true;
  for (let at = start; at < line.length; at += 1) {
    const word = line[at] ?? "";
    const [flag = "", ...joined] = word.split("=");
    if (!word.startsWith("-") || word === "-") {
      if (!isNamed) packages.push(word);
      break;
    }
    if (word === "--") continue;
    const value = joined.length > 0 ? joined.join("=") : line[at + 1];
    const takesNext = joined.length === 0 && [...packageFlags, ...valueFlags].includes(flag);
    if (packageFlags.includes(flag) && value !== undefined) packages.push(...value.split(","));
    if (instead.includes(flag)) isNamed = true;
    if (takesNext) at += 1;
  }
  return packages;
}

const IMAGE_SWITCHES = new Set(
  words(
    "--rm --init --privileged --read-only --interactive --tty --detach --publish-all --quiet --no-healthcheck",
  ),
);

/** There is no such word in the rest of the line. */
const NONE = Number.POSITIVE_INFINITY;

/** `docker run [flags] image [command]`: most flags take a value. */
function unpinnedImages(line: readonly string[], start: number): string[] {
  for (let at = start; at < line.length; at += 1) {
    const word = line[at] ?? "";
    if (!word.startsWith("-")) return isPinnedImage(word) ? [] : [word];
    if (word.startsWith("--")) {
      if (!word.includes("=") && !IMAGE_SWITCHES.has(word)) at += 1;
    } else if (/^-[itdPq]*[^itdPq]$/.test(word)) at += 1; // `-e NAME` and `-ie NAME` take the next word; `-eNAME` does not
  }
  return [];
}

function isPinnedImage(image: string): boolean {
  const [last = ""] = image.split("/").slice(-1);
  const [, tag = "latest"] = last.split(":");
  return /@sha256:[0-9a-f]{64}$/.test(image) || (tag !== "latest" && !tag.startsWith("$"));
}
