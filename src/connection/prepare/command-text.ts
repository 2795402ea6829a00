/** One word of a shell command line. */
interface ShellWord {
  readonly raw: string;
  /** The word without quotes and backslashes. Variables are not expanded. */
  readonly text: string;
}

/** One command of a command line, or a separator. */
export interface ShellPart {
  readonly raw: string;
  /** The words of the command, then its redirections: where they are makes no difference to a shell. */
  readonly words: readonly ShellWord[];
  /** The blanks around the words. */
  readonly before: string;
  readonly after: string;
}

const SEPARATORS = new Set(";&|()`\n");
/** Whitespace in shell languages, checked without a regular expression for each character. */
const BLANKS = new Set(" \t\r\v\f\u00a0\ufeff");
/** The start of a redirection: `2>>`, `<&`, `>|`. A file or a number follows. */
const REDIRECTION = /[<>]{1,3}[&|]?/y;

/** Splits a shell command line into commands and separators. Their raw texts add up to the original text. */
export function splitCommands(text: string, platform: string): readonly ShellPart[] {
  const parts: ShellPart[] = [];
  let words: ShellWord[] = [];
  let redirections: ShellWord[] = [];
  let start = 0;
  let first = -1;
  let last = 0;
  let wordStart = -1;
  let redirectionStart = -1;
  let cooked = "";
  let quote = "";
  const outer: string[] = []; // quotes around a command substitution
  const isPosix = platform !== "win32";
  const endWord = (end: number): void => {
    if (wordStart === -1) return;
    const isTarget = redirectionStart !== -1;
    const raw = text.slice(isTarget ? redirectionStart : wordStart, end);
    if (isTarget) redirections.push({ raw, text: raw });
    else words.push({ raw, text: cooked });
    last = end;
    wordStart = redirectionStart = -1;
    cooked = "";
  };
  const endPart = (end: number): void => {
    if (redirectionStart !== -1 && wordStart === -1) wordStart = end; // it has no target
    endWord(end);
    const before = first === -1 ? text.slice(start, end) : text.slice(start, first);
    const after = first === -1 ? "" : text.slice(last, end);
    if (end > start)
      parts.push({ raw: text.slice(start, end), words: [...words, ...redirections], before, after });
    words = [];
    redirections = [];
    start = end;
    first = -1;
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
      parts.push({ raw: letter, words: [], before: letter, after: "" });
      start = index + 1;
      if (!isInner && (letter === ")" || letter === "`")) quote = outer.pop() ?? "";
    } else if (quote === "" && (BLANKS.has(letter) || (letter > "\u00ff" && /\s/.test(letter))))
      endWord(index);
    else if (isPosix && quote !== "'" && letter === "\\" && text[index + 1] === "\n")
      index += 1; // the line continues
    else if (quote === "" && (letter === "<" || letter === ">")) {
      const isNumber =
        redirectionStart === -1 && wordStart !== -1 && /^\d+$/.test(text.slice(wordStart, index));
      const from = isNumber ? wordStart : index;
      if (isNumber) {
        wordStart = -1;
        cooked = "";
      } else endWord(index);
      if (first === -1) first = from;
      redirectionStart = from;
      REDIRECTION.lastIndex = index;
      index += (REDIRECTION.exec(text)?.[0].length ?? 1) - 1;
      last = index + 1;
    } else {
      if (wordStart === -1) wordStart = index;
      if (first === -1) first = index;
      if (letter === quote) quote = "";
      else if (quote === "" && (letter === '"' || letter === "'")) quote = letter;
      else if (letter === "\\" && quote !== "'" && isPosix) {
        index += 1;
        cooked += text[index] ?? "";
      } else cooked += letter;
    }
  }
  endPart(text.length);
  return parts;
}

/** Returns the text of a command with changed words. Existing words keep their spelling, new words are quoted. */
export function joinCommand(
  { raw, words, before, after }: ShellPart,
  changed: readonly string[],
  platform: string,
): string {
  if (changed.length === words.length && changed.every((word, index) => word === words[index]?.text))
    return raw;
  let next = 0;
  const written = changed.map((word) => {
    const known = words[next];
    if (known?.text !== word) return quoteForShell(word, platform);
    next += 1;
    return known.raw;
  });
  return `${before}${written.join(" ")}${after}`;
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
