/** Parses and edits config files, keeps the position of every member, and replaces files safely. */
export { countMarks } from "./count-marks.ts";
export { decodeText, decodeUtf8 } from "./decode-text.ts";
export type { Document, DocumentFormat, Path } from "./document.ts";
export { removeJsonMember, setJsonMember } from "./edit-json.ts";
export { type FileLock, withFileLock } from "./file-lock.ts";
export type { FileUpdate } from "./locked-update.ts";
export { updateFile, updateFiles } from "./locked-update.ts";
export { memberAt } from "./member-at.ts";
export { parseText } from "./parse-document.ts";
export { parseJson } from "./parse-json.ts";
export { setEntry } from "./set-entry.ts";
