/** One word of a line, and where it stands. */
export interface LineWord {
  /** Without its quotes. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The words of a line, as a shell would tell them apart; a quote that is left open goes on to the end. */
export function splitLine(line: string): LineWord[] {
  return [...line.matchAll(/(?:"(?:\\.|[^"\\])*(?:"|$)|'[^']*(?:'|$)|\\.|[^\s"'\\])+/gs)].map(
    ({ 0: raw, index }) => ({ text: unquote(raw), from: index, to: index + raw.length }),
  );
}

function unquote(raw: string): string {
  return raw.replaceAll(
    /"((?:\\.|[^"\\])*)(?:"|$)|'([^']*)(?:'|$)|\\(.)/gs,
    (_, double?: string, single?: string, escaped?: string) =>
      double?.replaceAll(/\\(["\\])/g, "$1") ?? single ?? escaped ?? "",
  );
}

/** A value as one word of a line. */
export function quoteWord(text: string): string {
  return /^[^\s"'\\]*$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
