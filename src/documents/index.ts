/** Text ↔ tree: bytes come in, values with the place of every member go out; and the safe way to replace a file. */
export { decodeText } from "./decode-text.ts";
export type { Document, DocumentProblem } from "./document.ts";
export { updateFile } from "./locked-update.ts";
export { parseJson } from "./parse-json.ts";
