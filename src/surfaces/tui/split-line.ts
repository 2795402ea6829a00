/** One word of a line, as a shell would read it. */
export interface LineWord {
  readonly text: string;
  /** Where it begins in the line, quotes included. */
  readonly start: number;
  /** Where what comes after it begins. */
  readonly end: number;
}

export interface SplitLine {
  readonly words: readonly LineWord[];
  /** What the line ends inside of: a quote that nothing closes, or a backslash with nothing behind it. */
  readonly unfinished?: "'" | '"' | "\\";
}

/** Splits a line like a shell: blanks separate, quotes and backslashes keep together. Nothing is expanded. */
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
      // Inside double quotes a backslash is itself, unless it stands before what it could hide.
      const hides = quote === undefined || /["\\$`]/.test(next);
      word.text += hides ? next : character + next;
      index += 1;
    } else word.text += character;
  }
  if (word !== undefined) words.push(word);
  return { words, ...(quote !== undefined && { unfinished: quote }) };
}
