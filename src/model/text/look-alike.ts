import { isOneEditApart } from "./is-one-edit-apart.ts";

/**
 * Returns the known name that another name resembles without being it. Both are in lower case. Names that differ in one letter resemble
 * each other only if the known one has at least `leastForEdits` characters.
 */
export function findLookAlike(
  name: string,
  known: readonly string[],
  leastForEdits: number,
): string | undefined {
  if (known.includes(name)) return undefined;
  return known.find(
    (candidate) =>
      skeleton(candidate) === skeleton(name) ||
      (candidate.length >= leastForEdits && isOneEditApart(candidate, name)),
  );
}

/** Replaces characters that look alike with one of them, and removes separators and the marks of npm scopes. */
function skeleton(text: string): string {
  return text
    .replaceAll("0", "o")
    .replaceAll(/[1i|]/g, "l")
    .replaceAll("5", "s")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll(/[-_.@/]/g, "");
}
