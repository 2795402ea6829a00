import { usageError } from "../shared/usage-error.ts";

/** One word of a line, split like a shell does. */
export interface LineWord {
  readonly text: string;
  /** The start index in the line, including quotes. */
  readonly start: number;
  /** The index after the word. */
  readonly end: number;
}

export interface SplitLine {
  readonly words: readonly LineWord[];
  /** Set if the line ends in an unclosed quote or with a backslash. */
  readonly unfinished?: "'" | '"' | "\\";
}

/** Splits a line into words like a shell, with quotes and backslashes. Nothing is expanded. */
export function splitLine(line: string): SplitLine {
  const words: LineWord[] = [];
  let word: { text: string; start: number; end: number } | undefined;
  let quote: "'" | '"' | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push({ ...word, end: index });
      word = undefined;
      continue;
    }
    word ??= { text: "", start: index, end: line.length };
    if (character === quote) quote = undefined;
    else if (quote === undefined && (character === "'" || character === '"')) quote = character;
    else if (character === "\\" && quote !== "'") {
      const next = line.charAt(index + 1);
      if (next === "") return { words: [...words, word], unfinished: quote ?? "\\" };
      // Inside double quotes a backslash escapes only these characters.
      const isEscape = quote === undefined || /["\\$`]/.test(next);
      word.text += isEscape ? next : character + next;
      index += 1;
    } else word.text += character;
  }
  if (word !== undefined) words.push(word);
  return { words, ...(quote !== undefined && { unfinished: quote }) };
}

/** Returns the words of a line. Throws if a quote is not closed or the line ends with a backslash. */
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
