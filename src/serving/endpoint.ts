import type { OfferRules } from "../operations/index.ts";

/** What one address of the gateway offers. */
export interface Endpoint extends OfferRules {
  /** The path, also for clients over stdio: `/mcp`, `/mcp/s/<server>` or `/mcp/b/<bundle>`. */
  readonly path: string;
  /** Set if the endpoint passes one server on as it is: names, addresses, instructions. */
  readonly verbatim?: string | undefined;
  /** The only server of the endpoint, if it requires approval. Requests are refused until then. */
  readonly unapproved?: string | undefined;
  /** `plain` keeps the servers' own names of tools and prompts. They must not collide. */
  readonly names: "prefixed" | "plain";
}
