import type { OfferRules } from "../operations/index.ts";

/** What one URL path of the gateway offers. */
export interface Endpoint extends OfferRules {
  /** The path, also for clients over stdio: `/mcp`, `/mcp/s/<server>` or `/mcp/b/<bundle>`. */
  readonly path: string;
  /** The endpoint's server, if it offers one server with the server's own names, URIs and instructions. */
  readonly verbatim?: string | undefined;
  /** The endpoint's only server, if it requires approval. Requests are refused until it is approved. */
  readonly unapproved?: string | undefined;
  /** `plain` keeps the servers' own names of tools and prompts. They must not collide. */
  readonly names: "prefixed" | "plain";
  /** Whether clients get all tools, or tools that find and call them. `auto` decides by their number and size. */
  readonly mode: "direct" | "meta" | "auto";
  /** With `auto`, the most tools that clients get directly. */
  readonly mostTools?: number | undefined;
}

/** Returns whether the clients of an endpoint may learn anything about a server. */
export function sees({ servers, bundles }: OfferRules, server: string): boolean {
  const isOffered = servers?.includes(server) ?? true;
  return isOffered && (bundles?.some((bundle) => bundle.server === server) ?? true);
}
