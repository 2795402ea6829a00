import type { JsonValue } from "../../model/index.ts";

/** What a rule can be about. A completion counts as its prompt or resource. */
export const SUBJECT_KINDS = ["tool", "resource", "prompt", "elicitation", "sampling", "roots"] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export const POLICY_ANSWERS = ["allow", "ask", "deny"] as const;
export type PolicyAnswer = (typeof POLICY_ANSWERS)[number];

/** How the value of an argument is compared. */
export const MATCHER_TYPES = ["equals", "text", "path", "url", "repository"] as const;
export type MatcherType = (typeof MATCHER_TYPES)[number];

/** A condition for one argument of a tool. */
export interface ArgumentMatcher {
  /** The name of the argument. `a.b` is the member `b` of the argument `a`. */
  readonly argument: string;
  readonly type: MatcherType;
  /** One of these must fit. */
  readonly patterns: readonly JsonValue[];
}

/** A rule of the policy. It applies if everything that it names fits. */
export interface PolicyRule {
  /** A name for people, in messages and the audit log. */
  readonly name: string;
  /** `*`, `person:<name>`, `group:<name>`, `token:<name>` or `scope:<OAuth scope>`. */
  readonly who: readonly string[];
  /** Patterns of server names. */
  readonly servers: readonly string[];
  readonly kinds: ReadonlySet<SubjectKind>;
  /** Patterns of the server's own names and URIs, by kind. */
  readonly items: Readonly<Partial<Record<SubjectKind, readonly string[]>>>;
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly matchers: readonly ArgumentMatcher[];
  /** `then` in the document. */
  readonly answer: PolicyAnswer;
  /** Who confirms a call, with `ask`. */
  readonly by: "client" | "dashboard";
}

/** A policy. The first rule that applies decides. */
export interface PolicyDocument {
  readonly rules: readonly PolicyRule[];
  /** What happens if no rule applies. */
  readonly otherwise: "allow" | "deny";
}

/** The person and token that a decision is for. */
export interface PolicyPerson {
  readonly names: readonly string[];
  readonly groups: readonly string[];
  /** The name of the static token. */
  readonly token?: string | undefined;
  /** The OAuth scopes of the token. */
  readonly scopes: readonly string[];
}

/** What a decision is about. */
export interface PolicySubject {
  readonly kind: SubjectKind;
  readonly server: string;
  /** The server's own name of the tool or prompt, or the URI or URI template of the resource. */
  readonly item?: string | undefined;
  /** Whether the item is a URI template. */
  readonly isTemplate?: boolean;
  /** Whether a trusted server declares the tool as read-only. */
  readonly isReadOnly?: boolean;
  /** Whether the tool may destroy something. Only a trusted server can declare that it does not. */
  readonly isDestructive?: boolean;
  /** The arguments of a call. Without them, the question is whether there are arguments with which the tool may be called. */
  readonly arguments?: Readonly<Record<string, JsonValue>> | undefined;
}

/** What a policy says about a subject. */
export interface PolicyDecision {
  readonly answer: PolicyAnswer;
  /** The name of the rule, or what applies without one. */
  readonly rule: string;
  readonly by?: PolicyRule["by"];
  /** The OAuth scope that a rule would require to allow this. */
  readonly missingScope?: string;
}
