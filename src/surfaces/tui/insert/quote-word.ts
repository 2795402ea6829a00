/** A value as one word of a line. */
export function quoteWord(text: string): string {
  return /^[^\s"'\\]*$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
