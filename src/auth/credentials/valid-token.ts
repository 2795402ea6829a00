import { Refusal } from "../refusal.ts";

/** Longer values do not fit into a header or a form field. */
const LONGEST = 32 * 1024;

/** Throws if a token or secret contains characters that RFC 6749 does not allow. Only printable ASCII is allowed. */
export function assertValidToken(what: string, text: string): void {
  if (text.length > LONGEST) throw new Refusal(`${what} is longer than ${LONGEST / 1024} KB`);
  if (!/^[\x20-\x7e]*$/.test(text))
    throw new Refusal(`${what} contains characters that are not allowed in it`);
}
