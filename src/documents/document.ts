import type { JsonValue, Position } from "../model/index.ts";

/** The format of a config file. */
export type DocumentFormat = "json" | "toml" | "yaml";

/** A problem in a text, and its position. */
export interface DocumentProblem {
  readonly code: "file-syntax" | "file-empty" | "file-too-large" | "duplicate-key";
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly at: Position;
}

/** A parsed file: its value, and the positions of its members. */
export interface Document {
  /** `undefined` if the text could not be parsed. `problems` then contains the reason. */
  readonly value: JsonValue | undefined;
  readonly problems: readonly DocumentProblem[];
  /** Returns the position of the member or item at this path. For a member, the position of its key. */
  at(path: Path): Position | undefined;
  /** The positions of the first comment and the first trailing comma of a JSON text, which strict parsers reject. */
  readonly lenient?: { readonly comment?: Position; readonly trailingComma?: Position };
}

/** The maximum number of duplicate keys to report per text. */
export const MAX_DUPLICATE_KEYS = 20;

/** The path of a member from the root. */
export type Path = readonly (string | number)[];

/** Returns the document for a text that could not be parsed. */
export function failedDocument(problem: DocumentProblem): Document {
  return { value: undefined, problems: [problem], at: () => undefined };
}
