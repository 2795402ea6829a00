import type { Decision, ToolAnnotations } from "../model/index.ts";

/** What is known of a tool when it is asked for. Before anything connects that is only its name. */
export interface GateTool {
  readonly name: string;
  readonly annotations?: ToolAnnotations | undefined;
  /** Why its definition must not reach a model. */
  readonly quarantined?: string | undefined;
  /** How it differs from what was looked at, where that holds it back. */
  readonly held?: string | undefined;
  /** Its annotations are new or changed since the tools were reviewed. */
  readonly isUnreviewed?: boolean | undefined;
}

/** May this tool be used, and which rule says so? */
export type ToolDecision =
  | { readonly answer: "allow" | "ask"; readonly rule: string }
  | {
      readonly answer: "deny";
      readonly reason: Extract<Decision, { allowed: false }>["reason"] | "denied" | "quarantined" | "held";
      readonly rule: string;
    };
