import { createHash } from "node:crypto";
import { maskShapes } from "../secrets/redactor.ts";

const HIDDEN = /^sha256:[0-9a-f]{64}$/;

/**
 * Returns the name of a variable from an `envFile` in a form that is safe to show and store. If `envFile` points to
 * another kind of file, such as a token, one of its lines may parse as a name. So text that does not look like a name
 * is replaced by its hash, which can still be compared.
 */
export function safeVariableName(name: string): string {
  if (HIDDEN.test(name) || isOrdinary(name)) return name;
  return `sha256:${createHash("sha256").update(name).digest("hex")}`;
}

/** Returns whether a name was replaced by its hash. */
export function isHiddenName(name: string): boolean {
  return HIDDEN.test(name);
}

function isOrdinary(name: string): boolean {
  return (
    /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) && maskShapes(name) === name && name.split("_").every(isWord)
  );
}

/** Random text switches between lower case, upper case and digits much more often than words do. */
function isWord(part: string): boolean {
  if (part.length < 10) return true;
  const changes = part.match(/[a-z](?![a-z])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return part.length <= 32 && changes * 6 <= part.length + 6;
}
