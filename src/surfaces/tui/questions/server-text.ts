import { safeText, truncate } from "../../../terminal.ts";

/** How many characters are cleaned and printed at once. */
const PIECE = 64 * 1024;

/**
 * Returns a server's text, safe to print and limited, with a note about omitted text. Only the visible part of a long
 * text is cleaned.
 */
export function serverText(text: string, most: number): string {
  const isLong = text.length > 2 * most;
  const safe = safeText(isLong ? truncate(text, 2 * most) : text);
  if (!isLong && safe.length <= most) return safe;
  return `${truncate(safe, most)} (${(isLong ? text.length : safe.length) - most} more characters)`;
}

/** Formats a server's text as quoted lines, so that it differs from Plugboard's own text. */
export function quoted(text: string, most: number): string {
  return quoteLines(serverText(text, most));
}

/** Yields a whole text, quoted, in pieces of limited length. A piece ends at a line break if possible. */
export function* quotedPieces(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > PIECE) {
    const lineEnd = text.lastIndexOf("\n", start + PIECE);
    const end = lineEnd > start ? lineEnd : start + truncate(text.slice(start), PIECE).length - 1;
    yield quoteLines(safeText(text.slice(start, end)));
    start = lineEnd > start ? end + 1 : end;
  }
  yield quoteLines(safeText(text.slice(start)));
}

function quoteLines(text: string): string {
  return text
    .split("\n")
    .map((line) => `  │ ${line}`)
    .join("\n");
}
