import { hidesSeparators } from "./fold-text.ts";

/** A value as it can be compared, or `undefined` if different programs could read it differently. */
export type Segments = readonly string[] | undefined;

/** Texts that a program may expand, decode or normalize: then it would use another path than the one that was compared. */
const AMBIGUOUS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\~$`*?"<>|]|%[0-9a-f]{2}|^[a-z][a-z0-9+.-]+:/iu;
/** Windows ignores dots and spaces at the end of a name, and reads what follows a colon as a stream. */
const LOOSE_NAME = /^\.{1,2}$|[. ]$|:/;
const DRIVE = /^[A-Za-z]:(?=\/|$)/;

/** Returns the parts of a path. The first part of an absolute path is "" or a drive. */
export function segmentsOfPath(path: string): Segments {
  if (path === "" || hidesSeparators(path)) return undefined;
  const drive = DRIVE.exec(path)?.[0];
  const rest = drive === undefined ? path : path.slice(drive.length);
  if (AMBIGUOUS.test(rest)) return undefined;
  const parts = rest.replace(/(?<=.)\/$/, "").split("/");
  const [first = "", ...others] = parts;
  const isRoot = rest === "/" || rest === "";
  const names = first === "" ? others : parts;
  if (!isRoot && names.some((name) => name === "" || LOOSE_NAME.test(name))) return undefined;
  const start = drive === undefined ? first : `${drive.toLowerCase()}${first}`;
  return isRoot ? [start] : [start, ...others];
}

/** Returns whether the parts fit a pattern: `*` is any text in one part, `**` any number of parts. */
export function fitsSegments(
  pattern: readonly string[],
  parts: readonly string[],
  fitsPart: (pattern: string, part: string) => boolean,
): boolean {
  let [at, next, star, consumed] = [0, 0, -1, 0];
  while (at < parts.length) {
    const wanted = pattern[next];
    if (wanted === "**") {
      star = next;
      consumed = at;
      next += 1;
    } else if (wanted !== undefined && fitsPart(wanted, parts[at] ?? "")) {
      at += 1;
      next += 1;
    } else if (star === -1) return false;
    else {
      consumed += 1;
      at = consumed;
      next = star + 1;
    }
  }
  return pattern.slice(next).every((wanted) => wanted === "**");
}

/** Returns whether a path is absolute, which a relative pattern says nothing about. */
export function isAbsolute([first = ""]: readonly string[]): boolean {
  return first === "" || DRIVE.test(first);
}
