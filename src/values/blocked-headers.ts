import type { Tier } from "../model/index.ts";

/** Hop-by-hop and framing headers. Conflicting values would allow request smuggling. */
const FRAMING =
  /^(?:connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|http2-settings|proxy-.*|:.*)$/i;
/** Headers that a proxy uses to choose the site. They could send a token to another site behind the same proxy. */
const ROUTING = /^(?:host|forwarded|x-forwarded-.*|x-host|x-original-.*|x-rewrite-url)$/i;

/** Returns why a header of an entry is not sent, or `undefined` if it is sent. */
export function blockReason(header: string, tier: Tier): string | undefined {
  if (FRAMING.test(header)) return "Plugboard sets it";
  if (tier === "project" && ROUTING.test(header)) return "it could send your sign-in to another site";
  return undefined;
}
