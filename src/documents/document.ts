import type { JsonValue, Position } from "../model/index.ts";

/** Something a parser did not like, where it stands. */
export interface DocumentProblem {
  readonly code: "file-syntax" | "file-empty" | "duplicate-key";
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

/** The way to a member from the top. */
export type Path = readonly (string | number)[];

/** A text that could not be parsed. */
export function failedDocument(problem: DocumentProblem): Document {
  return { value: undefined, problems: [problem], at: () => undefined };
}
