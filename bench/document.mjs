/** Writes the tables and pictures of the last complete run to `docs/`. */
import { readFileSync, writeFileSync } from "node:fs";

/** Replaces the text between the two markers of a section of a page. The text around them is not generated. */
export function writeIntoDocument(name, text, section = "bench") {
  const [begin, end] = [`<!-- ${section}: begin -->`, `<!-- ${section}: end -->`];
  const file = new URL(`../docs/${name}.md`, import.meta.url);
  const document = readFileSync(file, "utf8");
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/${name}.md has no markers ${begin} and ${end}`);
  writeFileSync(file, `${document.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${document.slice(to)}`);
}

/** Writes a picture of a page. */
export function writePicture({ name, svg }) {
  writeFileSync(new URL(`../docs/${name}`, import.meta.url), svg);
}
