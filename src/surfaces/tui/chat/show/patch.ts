import type { Style } from "../../../shared/render/style.ts";

/** Colours one line of a patch. */
export function paintPatchLine(line: string, style: Style): string {
  if (/^(?:diff |index |Index: |={3,}|--- |\+\+\+ )/.test(line)) return style.bold(line);
  if (line.startsWith("@@")) return style.name(line);
  if (line.startsWith("+")) return style.good(line);
  return line.startsWith("-") ? style.bad(line) : line;
}

/** Returns whether a text contains a patch in the format of `diff -u`. */
export function isPatch(text: string): boolean {
  return (
    /^--- \S.*\r?\n\+\+\+ \S/m.test(text) && /^@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/m.test(text)
  );
}
