import { createHash } from "node:crypto";

/** A parsed command line of npx or `npm exec`. */
export interface NpxLine {
  /** The package specs, as npm uses them for the folder name. */
  readonly packages: readonly string[];
  /** The name of the folder in `_npx` that npm installs into. */
  readonly hash: string;
  /** The index after npm's own options. */
  readonly optionsEnd: number;
  /** The index after the last word that npm itself reads. */
  readonly end: number;
  /** The program to start is also the package: `npx <package>`. */
  readonly isTarget: boolean;
}

const VERBS = /^(?:exec|exe|x)$/;
const FLAGS = /^(?:-[yqsdn]|--(?:yes|quiet|silent|verbose|prefer-offline|prefer-online|offline|no-[a-z-]+))$/;
const VALUES =
  /^--(?:registry|userconfig|globalconfig|loglevel|script-shell|node-options|prefix|tag|before|otp|proxy|https-proxy|noproxy|cafile)$/;

/** Parses the words after `npx` or `npm`. Returns `undefined` if any of them is not recognized. */
export function parseNpxLine(line: readonly string[], at: number, isNpx: boolean): NpxLine | undefined {
  const packages: string[] = [];
  let needsVerb = !isNpx;
  let index = at + 1;
  let hasCall = false;
  let hasDashes = false;
  for (; index < line.length; index += 1) {
    const word = line[index] ?? "";
    const [, name = word, inline] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (needsVerb && VERBS.test(word)) needsVerb = false;
    else if (word === "--") {
      hasDashes = true;
      index += 1;
      break;
    } else if (!word.startsWith("-")) break;
    else if (name === "--cache") return undefined;
    else if (/^(?:-p|--package|-c|--call)$/.test(name)) {
      if (inline === undefined) index += 1;
      const value = inline ?? line[index] ?? "";
      if (name.endsWith("p") || name === "--package") packages.push(value);
      else hasCall = true;
    } else if (inline !== undefined || FLAGS.test(word)) continue;
    else if (VALUES.test(word)) index += 1;
    else return undefined;
  }
  if (needsVerb) return undefined;
  const target = line[index];
  const isTarget = packages.length === 0;
  if (isTarget && (hasCall || target === undefined)) return undefined;
  const asked = isTarget && target !== undefined ? [target] : packages;
  if (asked.some(isFolder)) return undefined;
  const end = hasCall || target === undefined ? index : index + 1;
  const optionsEnd = hasDashes ? index - 1 : index;
  return { packages: asked, hash: hashOf(asked), optionsEnd, end, isTarget };
}

/** Returns the folder name that npm uses for these packages. */
export function hashOf(packages: readonly string[]): string {
  const sorted = packages.toSorted((one, other) => one.localeCompare(other, "en"));
  return createHash("sha512").update(sorted.join("\n")).digest("hex").slice(0, 16);
}

/** Returns whether a spec is a local folder, which npm links instead of installing. */
function isFolder(spec: string): boolean {
  return spec === "" || /^(?:file:|[.~\\/]|[A-Za-z]:[\\/])/.test(spec);
}

/** Returns the name of a registry package, or `undefined` for a URL or a repository. */
export function packageName(spec: string): string | undefined {
  return /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@[^/:]*)?$/i.exec(spec)?.[1];
}
