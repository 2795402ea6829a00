import type { Provenance } from "../server/provenance.ts";

/** What to do with a call: make it, ask a person first, ask unless a trusted server says that the tool only reads, refuse. */
export const CALL_ANSWERS = ["allow", "ask-writes", "ask", "deny"] as const;
export type CallAnswer = (typeof CALL_ANSWERS)[number];

/** What to do with a tool that is not as it was when it was looked at: hold it back, tell of it, nothing. */
export const PIN_POLICIES = ["hold", "warn", "off"] as const;
export type PinPolicy = (typeof PIN_POLICIES)[number];

/** Which of a server's tools may be used, by its own names for them; `*` stands for any text. */
export interface ToolLists {
  /** All, when left out. */
  readonly allowTools?: readonly string[];
  readonly denyTools: readonly string[];
}

/** What an entry says of the use of its tools. A rule that cannot be understood is taken at its strictest. */
export interface ToolRules extends ToolLists {
  readonly trust?: "trusted" | "untrusted";
  /** By pattern; the one with the most letters of its own decides. */
  readonly approval: readonly { readonly pattern: string; readonly answer: CallAnswer }[];
  readonly pins?: PinPolicy;
}

/** A named share of one server's tools. */
export interface Bundle extends ToolLists {
  readonly id: string;
  readonly server: string;
  /** `meta` hands out tools to find and call tools instead of the tools themselves. */
  readonly mode: "direct" | "meta";
  readonly label?: string;
  readonly source: Provenance;
}
