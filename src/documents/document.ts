import type { JsonValue, Position } from "../model/index.ts";

export type DocumentFormat = "json" | "toml" | "yaml";

/** Something a parser did not like, where it stands. */
export interface DocumentProblem {
  readonly code: "file-syntax" | "file-empty" | "file-too-large" | "duplicate-key";
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly at: Position;
}

/** A parsed file: its value, and the place of everything in it. */
export interface Document {
  /** `undefined` when the text could not be parsed; `problems` says why. */
  readonly value: JsonValue | undefined;
  readonly problems: readonly DocumentProblem[];
  /** Where the member or item at this path stands (its key, where it has one). */
  at(path: Path): Position | undefined;
}

/** How many equal keys of one text are reported. */
export const MOST_EQUAL_KEYS = 20;

/** The way to a member from the top. */
export type Path = readonly (string | number)[];

/** A text that could not be parsed. */
export function failedDocument(problem: DocumentProblem): Document {
  return { value: undefined, problems: [problem], at: () => undefined };
}
