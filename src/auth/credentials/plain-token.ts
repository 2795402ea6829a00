import { Refusal } from "../refusal.ts";

/** No header or form field of a request could hold a longer one. */
const LONGEST = 32 * 1024;

/** Throws for tokens and secrets that RFC 6749 does not allow: they are visible ASCII characters and spaces. */
export function assertPlain(what: string, text: string): void {
  if (text.length > LONGEST) throw new Refusal(`${what} is longer than ${LONGEST / 1024} KB`);
  if (!/^[\x20-\x7e]*$/.test(text))
    throw new Refusal(`${what} contains characters that are not allowed in it`);
}
