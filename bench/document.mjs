/** Keeps the tables of the last full run in `docs/performance.md`. */
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../docs/performance.md", import.meta.url);
const [begin, end] = ["<!-- bench: begin -->", "<!-- bench: end -->"];

/** Replaces what is between the two markers; the text around them is written by people and stays. */
export function writeIntoDocument(text) {
  const document = readFileSync(file, "utf8");
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from)
    throw new Error(`docs/performance.md has lost its markers ${begin} and ${end}`);
  writeFileSync(file, `${document.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${document.slice(to)}`);
}
