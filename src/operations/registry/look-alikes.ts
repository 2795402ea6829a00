import { findLookAlike } from "../../model/index.ts";

/** Publishers that attackers may imitate: the parts before the `/` of registry names. */
const KNOWN: readonly string[] = [
  "io.modelcontextprotocol",
  "io.github.modelcontextprotocol",
  "io.github.github",
  "io.github.microsoft",
  "io.github.upstash",
  "io.github.cloudflare",
  "com.microsoft",
  "com.notion",
  "com.atlassian",
  "com.stripe",
  "com.figma",
  "com.vercel",
  "com.supabase",
  "com.paypal",
  "com.cloudflare",
  "com.google",
  "app.linear",
  "io.sentry",
];

/** Shorter names differ from many others in one letter. */
const SHORTEST_FOR_EDITS = 10;

/** Returns the well-known publisher that a name resembles without being it. */
export function resembledPublisher(name: string): string | undefined {
  const [publisher = ""] = name.toLowerCase().split("/");
  return findLookAlike(publisher, KNOWN, SHORTEST_FOR_EDITS);
}
