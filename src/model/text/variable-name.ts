import { createHash } from "node:crypto";
import { maskShapes } from "../secrets/redactor.ts";

const HIDDEN = /^sha256:[0-9a-f]{64}$/;

/**
 * The name of a variable in an `envFile`, as it may be shown and stored. A file of another kind, such as a token, may hold a line
 * that parses as a name: anything that does not look like a name is replaced by its hash, so that it can still be compared.
 */
export function shownVariableName(name: string): string {
  if (HIDDEN.test(name) || isOrdinary(name)) return name;
  return `sha256:${createHash("sha256").update(name).digest("hex")}`;
}

export function isHiddenName(name: string): boolean {
  return HIDDEN.test(name);
}

function isOrdinary(name: string): boolean {
  return (
    /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) && maskShapes(name) === name && name.split("_").every(isWord)
  );
}

/** Random text changes between small letters, capitals and digits much more often than words do. */
function isWord(part: string): boolean {
  if (part.length < 10) return true;
  const changes = part.match(/[a-z](?![a-z])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return part.length <= 32 && changes * 6 <= part.length + 6;
}
