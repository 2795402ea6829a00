import { hidesSeparators } from "./fold-text.ts";

const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]|%(?:2e|2f|5c|25|00)/iu;
/** Parts that a server may resolve: `a/../b` is `b`. */
const DOTS = /(?:^|[/?#&=;:])\.{1,2}(?=$|[/?#&=;])/;

/** Returns whether all programs read a URI in the same way. */
export function isCleanUri(uri: string): boolean {
  return !UNSAFE.test(uri) && !DOTS.test(uri) && !hidesSeparators(uri);
}
