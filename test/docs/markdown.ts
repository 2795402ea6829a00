import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folders whose Markdown is not ours to judge: what is installed or built, and the configs of others. */
const NOT_OURS = new Set(["node_modules", "dist", "configs", ".peers", ".git"]);

/** Every document of the repository, by its path. */
export const documents: readonly string[] = markdownIn(".");

export const textOf = (document: string): string => readFileSync(document, "utf8");

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The file that the comment above it names. */
  readonly from?: string;
  readonly line: number;
}

export function codeBlocks(text: string): CodeBlock[] {
  return [...text.matchAll(/(?:<!-- (\S+) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm)].map((found) => {
    const [, from, language = "", code = ""] = found;
    const line = text.slice(0, found.index).split("\n").length + (from === undefined ? 0 : 1);
    return { language, code, line, ...(from !== undefined && { from }) };
  });
}

/** The text without its code blocks. */
export function prose(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}

/** What is written between single backticks. */
export function codeSpans(text: string): string[] {
  return [...prose(text).matchAll(/`([^`\n]+(?:\n[^`\n]+)?)`/g)].map(([, code = ""]) =>
    code.replace("\n", " "),
  );
}

/** The anchor that GitHub gives a heading. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** Every anchor of a document; a heading that comes again is numbered. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of prose(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = anchorOf(heading);
    let name = anchor;
    for (let number = 1; anchors.has(name); number += 1) name = `${anchor}-${number}`;
    anchors.add(name);
  }
  return anchors;
}

/** Where a document's links and pictures lead, outside of code; addresses of the web left out. */
export function linksOf(text: string): { readonly path: string; readonly anchor: string }[] {
  const plain = prose(text).replace(/`[^`\n]*`/g, "code");
  return [...plain.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, path = "", anchor = ""]) => ({
      path,
      anchor,
    }),
  );
}

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownIn(path);
    return entry.isFile() && entry.name.endsWith(".md") ? [path] : [];
  });
}
