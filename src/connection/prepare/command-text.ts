/** One word of a shell command line. */
interface ShellWord {
  readonly raw: string;
  /** The word without quotes and backslashes. Variables are not expanded. */
  readonly text: string;
}

/** One command of a command line, or a separator. */
export interface ShellPart {
  readonly raw: string;
  readonly words: readonly ShellWord[];
}

const SEPARATORS = new Set(";&|()`\n");
/** The white space of the shell's languages, without a pattern for every character. */
const BLANKS = new Set(" \t\r\v\f\u00a0\ufeff");

/** Splits a shell command line into commands and separators. Their raw texts add up to the original text. */
export function splitCommands(text: string, platform: string): readonly ShellPart[] {
  const parts: ShellPart[] = [];
  let words: ShellWord[] = [];
  let start = 0;
  let wordStart = -1;
  let cooked = "";
  let quote = "";
  const outer: string[] = []; // quotes around a command substitution
  const endWord = (end: number): void => {
    if (wordStart !== -1) words.push({ raw: text.slice(wordStart, end), text: cooked });
    wordStart = -1;
    cooked = "";
  };
  const endPart = (end: number): void => {
    endWord(end);
    if (end > start) parts.push({ raw: text.slice(start, end), words });
    words = [];
    start = end;
  };
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index] ?? "";
    const isInner = quote === '"' && (letter === "`" || (letter === "(" && text[index - 1] === "$"));
    if (isInner) {
      outer.push(quote);
      quote = "";
    }
    if (quote === "" && SEPARATORS.has(letter)) {
      endPart(index);
      parts.push({ raw: letter, words: [] });
      start = index + 1;
      if (!isInner && (letter === ")" || letter === "`")) quote = outer.pop() ?? "";
    } else if (quote === "" && (BLANKS.has(letter) || (letter > "\u00ff" && /\s/.test(letter))))
      endWord(index);
    else {
      if (wordStart === -1) wordStart = index;
      if (letter === quote) quote = "";
      else if (quote === "" && (letter === '"' || letter === "'")) quote = letter;
      else if (letter === "\\" && quote !== "'" && platform !== "win32") {
        index += 1;
        cooked += text[index] ?? "";
      } else cooked += letter;
    }
  }
  endPart(text.length);
  return parts;
}

/** Returns the text of a command with changed words. Existing words keep their spelling, new words are quoted. */
export function joinCommand({ raw, words }: ShellPart, changed: readonly string[], platform: string): string {
  if (changed.length === words.length && changed.every((word, index) => word === words[index]?.text))
    return raw;
  let next = 0;
  const written = changed.map((word) => {
    const known = words[next];
    if (known?.text !== word) return quoteForShell(word, platform);
    next += 1;
    return known.raw;
  });
  const [first, last] = [words[0]?.raw ?? "", words.at(-1)?.raw ?? ""];
  const before = raw.slice(0, raw.indexOf(first));
  return `${before}${written.join(" ")}${raw.slice(raw.lastIndexOf(last) + last.length)}`;
}

function quoteForShell(word: string, platform: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns whether the command line first enters a folder that it names with an absolute path. */
export function entersFolder(text: string): boolean {
  if (/[;&|]\s*(?:cd|chdir|pushd|popd)\b/.test(text)) return false;
  return /^\s*cd\s+(?:--\s+|\/d\s+)?["']?(?:[\\/]|~[\\/"'\s]|\$HOME|\$\{HOME\}|[a-z]:[\\/]|%userprofile%)[^;&|]*&&/i.test(
    text,
  );
}
