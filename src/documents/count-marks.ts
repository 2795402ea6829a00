import type { DocumentFormat } from "./document.ts";

/** The characters that begin or separate values. A text has at most about as many values as such characters. */
const MARKS: Readonly<Record<DocumentFormat | "text", string>> = {
  json: ",:[{",
  toml: ",=[{.#\n",
  yaml: ",:[]{}#&*!?%-'\"\n",
  // Scripts for a shell
  text: "$`'\"\\;&|()#\n",
};

/** Estimates the work of parsing a text without parsing it. Marks inside strings and comments also count. */
export function countMarks(text: string, format: DocumentFormat | "text"): number {
  const isMark = new Uint8Array(128);
  for (const mark of MARKS[format]) isMark[mark.charCodeAt(0)] = 1;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) count += isMark[text.charCodeAt(at)] ?? 0;
  return count;
}
