import type { Decision, ToolAnnotations } from "../model/index.ts";

/** The known facts about a tool when it is checked. Before the server is connected, that is only its name. */
export interface CheckedTool {
  readonly name: string;
  readonly annotations?: ToolAnnotations | undefined;
  /** The reason why its definition must not reach a model. */
  readonly quarantined?: string | undefined;
  /** How it differs from its pinned version, if that blocks it. */
  readonly held?: string | undefined;
  /** Whether its annotations are new or changed since the last review. */
  readonly isUnreviewed?: boolean | undefined;
  /** When the user allowed all calls to a tool with exactly this definition (ISO 8601), if they did. */
  readonly allowedAt?: string | undefined;
}

/** Whether a tool may be used, and the rule that decided it. */
export type ToolDecision =
  | { readonly answer: "allow"; readonly rule: string }
  | {
      readonly answer: "ask";
      readonly rule: string;
      /** Whether the rule is a default, not a rule of the server's entry. */
      readonly isDefault: boolean;
    }
  | {
      readonly answer: "deny";
      readonly reason: Extract<Decision, { allowed: false }>["reason"] | "denied" | "quarantined" | "held";
      readonly rule: string;
    };
