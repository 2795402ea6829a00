import type { Provenance } from "../server/provenance.ts";

/**
 * How to handle a tool call, from the most permissive to the strictest. `ask-writes` requires approval unless a trusted
 * server marks the tool as read-only.
 */
export const CALL_ANSWERS = ["allow", "ask-writes", "ask", "deny"] as const;

/** How to handle a tool call. `ask-writes` requires approval unless a trusted server marks the tool as read-only. */
export type CallAnswer = (typeof CALL_ANSWERS)[number];

/** How to handle a tool that changed since it was pinned: block it, report the change, or ignore the change. */
export const PIN_POLICIES = ["hold", "warn", "off"] as const;

/** How to handle a tool that changed since it was pinned: block it, report the change, or ignore the change. */
export type PinPolicy = (typeof PIN_POLICIES)[number];

/** Which of a server's tools may be used. Patterns match the server's names for its tools; `*` matches any text. */
export interface ToolLists {
  /** Patterns of allowed tools. All tools are allowed if omitted. */
  readonly allowTools?: readonly string[];
  /** Patterns of denied tools. They take precedence over `allowTools`. */
  readonly denyTools: readonly string[];
}

/** The rules of an entry for the use of its tools. A rule that cannot be parsed gets its strictest meaning. */
export interface ToolRules extends ToolLists {
  /**
   * Whether the server's annotations are trusted. By default, a project's servers are not trusted and all others are.
   */
  readonly trust?: "trusted" | "untrusted";
  /** Approval rules by tool name pattern. The most specific pattern applies; if two are equal, the stricter one. */
  readonly approval: readonly { readonly pattern: string; readonly answer: CallAnswer }[];
  /** How to handle tools that changed since they were pinned. */
  readonly pins?: PinPolicy;
}

/** A subset of one server's tools that a program defines for one session. */
export interface InlineBundle extends Partial<ToolLists> {
  /** The name of the server, as configured. */
  readonly server: string;
  /** Default: `"direct"`. */
  readonly mode?: Bundle["mode"];
}

/** The id of a configured bundle, or a bundle for one session. */
export type BundleChoice = string | InlineBundle;

/** A named subset of one server's tools. */
export interface Bundle extends ToolLists {
  /** The id of the bundle. */
  readonly id: string;
  /** The name of the server, as configured. */
  readonly server: string;
  /** `direct` offers the tools themselves. `meta` offers tools that find and call them. */
  readonly mode: "direct" | "meta";
  /** A name for people. */
  readonly label?: string;
  /** Where the bundle is defined. */
  readonly source: Provenance;
}
