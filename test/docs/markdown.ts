import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folders with Markdown that is not ours: installed packages, build output, config fixtures. */
const NOT_OURS = new Set(["node_modules", "dist", "configs", ".peers", ".git"]);

/** The paths of all documents in the repository. */
export const documents: readonly string[] = markdownIn(".");

export const textOf = (document: string): string => readFileSync(document, "utf8");

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The file that the comment above the block names. */
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

/** Returns the text without code blocks. */
export function prose(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}

/** Returns the text of all inline code spans. */
export function codeSpans(text: string): string[] {
  return [...prose(text).matchAll(/`([^`\n]+(?:\n[^`\n]+)?)`/g)].map(([, code = ""]) =>
    code.replace("\n", " "),
  );
}

/** Returns the anchor that GitHub generates for a heading. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** Returns all anchors of a document. Repeated headings are numbered. */
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

/** Returns the targets of links and images outside code, without web URLs. */
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
