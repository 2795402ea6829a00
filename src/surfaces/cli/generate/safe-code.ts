import { safeJson, safeLine, truncate } from "../../../terminal.ts";

const LONGEST_COMMENT = 300;

/** Returns a string literal. Hidden characters are escaped, and nothing can end the literal early. */
export function literal(text: string): string {
  return safeJson(JSON.stringify(text));
}

/** Returns the name of a property: as it is, if it is a plain identifier, else as a string literal. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/**
 * Returns a comment on one line, or nothing for an empty text. A server's text can neither end the comment nor start with a tag or
 * a directive such as `@ts-ignore`.
 */
export function comment(text: string | undefined): string {
  const start = truncate((text ?? "").trimStart(), 4 * LONGEST_COMMENT); // thousands of references can lead to one long text
  const line = truncate(safeLine(start).trim(), LONGEST_COMMENT);
  const safe = line.replaceAll("*/", "*\\/").replace(/(^|[\s{])@/g, "$1\\@");
  return safe === "" ? "" : `/** ${safe} */\n`;
}

/** Indents every line. */
export function indent(code: string): string {
  return code.replace(/^(?=.)/gm, "  ");
}
