import type { Tier } from "../model/index.ts";

/** Headers of one hop or of the message's framing: two opinions about where a request ends let another one be smuggled in. */
const FRAMING =
  /^(?:connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|http2-settings|proxy-.*|:.*)$/i;
/** Headers by which a front server chooses the site: with them a token for the address goes to another site behind it. */
const ROUTING = /^(?:host|forwarded|x-forwarded-.*|x-host|x-original-.*|x-rewrite-url)$/i;

/** Why a header of an entry is not sent. `undefined` if it is. */
export function whyLeftOut(header: string, tier: Tier): string | undefined {
  if (FRAMING.test(header)) return "Plugboard sets it";
  if (tier === "project" && ROUTING.test(header)) return "it could send your sign-in to another site";
  return undefined;
}
