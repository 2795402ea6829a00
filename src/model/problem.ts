/** Every kind of trouble a file, entry or server can be in without stopping the rest. Pinned by a test. */
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
] as const;

export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** Something wrong with one file, entry, server or tool: shown, never thrown, and never hiding its neighbours. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly server?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}
