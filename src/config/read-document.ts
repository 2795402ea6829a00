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

/** A config file is at most this large; a larger one is somebody else's file. Claude Code keeps much else in its JSON. */
const LARGEST_MB = { json: 10, toml: 1, yaml: 1, text: 1 } as const;
/** A project's file is read before the user has approved anything. */
const PROJECT_MB = 1;

export interface ReadDocument {
  /** `undefined` when there is no file, or when it could not be read: then `problems` says why. */
  readonly document: Document | undefined;
  readonly exists: boolean;
  /** The text as it was read, without a byte order mark. */
  readonly text: string;
  readonly problems: readonly Problem[];
  /** A stranger's link leads to it: nothing of it may be quoted. */
  readonly isLink?: true;
}

/**
 * Reads one config file. Whatever is wrong with it becomes a problem with its place; never throws. A project's file takes from the
 * `budget` of the project.
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
  if (bytes.length > limit) return tooLarge; // a program's own files may ignore the limit
  const decoded = decodeText(bytes);
  if (!("text" in decoded)) return unreadable(file, "file-not-text", decoded.message, decoded.at);
  const refusal = budget?.spend(bytes.length, countMarks(decoded.text, format));
  if (refusal !== undefined) return unreadable(file, "file-too-large", refusal);
  const read =
    format === "text"
      ? { document: plainText(decoded.text), exists: true, text: decoded.text, problems: [] }
      : await parseDocument(decoded.text, file, format, budget !== undefined);
  if (!budget || !(await leadsOut(files, file, budget.folder))) return read;
  return { ...read, isLink: true, problems: read.problems.map((problem) => hushed(problem, file)) };
}

async function leadsOut(files: Files, file: string, folder: string | undefined): Promise<boolean> {
  const real = await files.realPath(file).catch(() => undefined);
  if (real === file) return false;
  if (real === undefined || folder === undefined || !file.startsWith(join(folder, sep))) return true;
  const root = await files.realPath(folder).catch(() => folder);
  return !real.startsWith(join(root, sep));
}

/** A stranger's link may lead to anything on this machine, and complaints quote what they are about. */
export function hushed({ code, severity, line, column }: Problem, file: string): Problem {
  const at = line === undefined || column === undefined ? undefined : { line, column };
  return problemIn(file, code, "is not as it should be; it is a link, so none of it is shown", at, severity);
}

/** The same for text that is already here. */
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

/** A file with a language of its own: its only value is its text. */
function plainText(text: string): Document {
  return { value: text, problems: [], at: () => ({ line: 1, column: 1 }) };
}

/** A problem whose message names its place, so that it can be printed as it is. */
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
  if (code === "EINVAL") return "is no regular file";
  if (code === "ELOOP") return "is a link that leads back to itself";
  return `cannot be read: ${messageOf(error)}`;
}
