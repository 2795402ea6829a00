import type { DocumentFormat } from "./document.ts";

/** The characters that start or separate values. A text has at most about as many values as it has of these. */
const MARKS: Readonly<Record<DocumentFormat, string>> = {
  json: ",:[{",
  toml: ",=[{.#\n",
  yaml: ",:[]{}#&*!?%-'\"\n",
};

/** Estimates the cost of parsing a text without parsing it. Also counts marks inside strings and comments. */
export function countMarks(text: string, format: DocumentFormat): number {
  const isMark = new Uint8Array(128);
  for (const mark of MARKS[format]) isMark[mark.charCodeAt(0)] = 1;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) count += isMark[text.charCodeAt(at)] ?? 0;
  return count;
}
