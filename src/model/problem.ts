/** All problem codes. A test pins them. */
export const PROBLEM_CODES = [
  "home-missing",
  "file-unreadable",
  "file-too-large",
  "file-empty",
  "file-not-text",
  "file-syntax",
  "file-shape",
  "file-missing",
  "file-not-own",
  "duplicate-key",
  "entry-shape",
  "field-type",
  "field-unknown",
  "name-invalid",
  "transport-ambiguous",
  "transport-unknown",
  "transport-inferred",
  "command-missing",
  "url-missing",
  "url-invalid",
  "protocol-unknown",
  "value-unresolved",
  "value-dynamic",
  "sign-in-address",
  "shadows-valid",
  "state-unreadable",
  "state-unwritable",
  "settings-invalid",
  "source-ignored",
  "owner-refuses",
  "tool-invalid",
  "item-invalid",
  "list-partial",
  "name-collision",
  "tool-quarantined",
  "tool-denied",
  "tool-held",
  "tool-changed",
  "tool-suspicious",
  "package-replaced",
  "recording-incomplete",
] as const;

/** The code of a `Problem`. */
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/**
 * A problem with one file, entry, server or tool. Problems are reported, never thrown, and do not affect anything else.
 */
export interface Problem {
  /** The kind of problem. Codes are stable. */
  readonly code: ProblemCode;
  /** Whether something cannot be used (`error`) or is only suspicious (`warning`). */
  readonly severity: "error" | "warning";
  /** A description for people. */
  readonly message: string;
  /** The name of the server that the problem concerns. */
  readonly server?: string;
  /** The file that the problem is in. */
  readonly file?: string;
  /** The line in `file`, starting at 1. */
  readonly line?: number;
  /** The column in `file`, starting at 1. */
  readonly column?: number;
}
