import { usageError } from "../../shared/usage-error.ts";
import { splitLine } from "../split-line.ts";

/** The words of a line that is complete; says what is missing where it is not. */
export function lineWords(line: string): string[] {
  const { words, unfinished } = splitLine(line);
  if (unfinished === "\\") throw usageError("The line ends with a backslash.");
  if (unfinished !== undefined)
    throw usageError(
      `Unclosed quote: ${unfinished}`,
      `Close it, or write \\${unfinished} for a literal quote.`,
    );
  return words.map(({ text }) => text);
}
