import { join, sep } from "node:path";
import { countMarks, type Document, type DocumentFormat, decodeText, parseText } from "../documents/index.ts";
import {
  codeOf,
  describePlace,
  messageOf,
  type Position,
  type Problem,
  type ProblemCode,
} from "../model/index.ts";
import type { Files } from "../platform/index.ts";
import type { ProjectBudget } from "./project-budget.ts";

/** Larger files are not read. JSON files can be large because Claude Code stores other data in its config file. */
const LARGEST_MB = { json: 10, toml: 1, yaml: 1, text: 1 } as const;
/** The limit for project files, which are read before the user has approved anything. */
const PROJECT_MB = 1;

/** A config file that was read. */
export interface ReadDocument {
  /**
   * `undefined` if the file does not exist or could not be read. In the latter case, `problems` contains the reason.
   */
  readonly document: Document | undefined;
  /** Whether the file exists. */
  readonly exists: boolean;
  /** The text of the file, without a byte order mark. */
  readonly text: string;
  readonly problems: readonly Problem[];
  /** Someone else's link points to it, so its contents must not be quoted. */
  readonly isLink?: true;
}

/**
 * Reads a config file. Never throws: every error becomes a problem with its position. A project file is
 * charged to the project's `budget`.
 */
export async function readDocument(
  files: Files,
  file: string,
  format: DocumentFormat | "text" = "json",
  budget?: ProjectBudget,
): Promise<ReadDocument> {
  if (budget?.isSpent) return { document: undefined, exists: true, text: "", problems: [] };
  const megabytes = budget ? PROJECT_MB : LARGEST_MB[format];
  const limit = megabytes * 1024 * 1024;
  const tooLarge = unreadable(file, "file-too-large", `is larger than ${megabytes} MB`);
  let bytes: Uint8Array | undefined;
  try {
    bytes = await files.read(file, limit);
  } catch (error) {
    return codeOf(error) === "EFBIG" ? tooLarge : unreadable(file, "file-unreadable", explain(error));
  }
  if (bytes === undefined) return { document: undefined, exists: false, text: "", problems: [] };
  if (bytes.length > limit) return tooLarge; // another implementation of `Files` may ignore the limit
  const decoded = decodeText(bytes);
  if (!("text" in decoded)) return unreadable(file, "file-not-text", decoded.message, decoded.at);
  const refusal = budget?.spend(bytes.length, countMarks(decoded.text, format));
  if (refusal !== undefined) return unreadable(file, "file-too-large", refusal);
  const read =
    format === "text"
      ? { document: plainText(decoded.text), exists: true, text: decoded.text, problems: [] }
      : await parseDocument(decoded.text, file, format, budget !== undefined);
  if (!budget || !(await pointsOutside(files, file, budget.folder))) return read;
  return { ...read, isLink: true, problems: read.problems.map((problem) => withoutDetails(problem, file)) };
}

async function pointsOutside(files: Files, file: string, folder: string | undefined): Promise<boolean> {
  const real = await files.realPath(file).catch(() => undefined);
  if (real === file) return false;
  if (real === undefined || folder === undefined || !file.startsWith(join(folder, sep))) return true;
  const root = await files.realPath(folder).catch(() => folder);
  return !real.startsWith(join(root, sep));
}

/** A project's link can point to any file on this machine, and messages quote the content they are about. */
export function withoutDetails({ code, severity, line, column }: Problem, file: string): Problem {
  const at = line === undefined || column === undefined ? undefined : { line, column };
  return problemIn(file, code, "is not valid; it is a link, so its content is not shown", at, severity);
}

/** Parses text as `readDocument` parses a file. */
export async function parseDocument(
  text: string,
  file: string,
  format: DocumentFormat = "json",
  isLimited = false,
): Promise<ReadDocument> {
  const document = await parseText(text, format, isLimited);
  const problems = document.problems.map(({ code, severity, message, at }) =>
    problemIn(file, code, message, at, severity),
  );
  return { document: document.value === undefined ? undefined : document, exists: true, text, problems };
}

/** Returns a document for a file in another language. Its value is the text. */
function plainText(text: string): Document {
  return { value: text, problems: [], at: () => ({ line: 1, column: 1 }) };
}

/** Creates a problem. The message starts with the position, so that it can be printed as is. */
export function problemIn(
  file: string,
  code: ProblemCode,
  message: string,
  at?: Position,
  severity: Problem["severity"] = "error",
): Problem {
  const place = { file, ...at };
  return { code, severity, message: `${describePlace(place)} ${message}`, ...place };
}

function unreadable(file: string, code: ProblemCode, message: string, at?: Position): ReadDocument {
  return { document: undefined, exists: true, text: "", problems: [problemIn(file, code, message, at)] };
}

function explain(error: unknown): string {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM")
    return "cannot be read: no permission (check its owner and mode)";
  if (code === "EISDIR") return "is a folder, not a file";
  if (code === "EINVAL") return "is not a regular file";
  if (code === "ELOOP") return "is a link to itself";
  return `cannot be read: ${messageOf(error)}`;
}
