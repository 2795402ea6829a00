/** A text to look for, and what to put in its place. */
interface Entry {
  readonly folded: string;
  readonly replacement: string;
  /** Only where no letter or digit goes on from it. */
  readonly isWord: boolean;
}

/**
 * Replaces many texts at once, the longest first, in upper and lower case. A pattern of a thousand values would hold the program up
 * for a tenth of a second on each line that a server prints; this looks only at texts that begin with the same characters.
 */
export class TextMatcher {
  readonly #keyLength: number;
  readonly #byStart = new Map<string, Entry[]>();
  #longest = 0;

  /** No text may be shorter than `keyLength`. */
  constructor(keyLength: number) {
    this.#keyLength = keyLength;
  }

  get isEmpty(): boolean {
    return this.#longest === 0;
  }

  add(text: string, replacement: string, { isWord }: { readonly isWord: boolean }): void {
    const folded = fold(text);
    const start = folded.slice(0, this.#keyLength);
    const others = (this.#byStart.get(start) ?? []).filter((entry) => entry.folded !== folded);
    const entries = [...others, { folded, replacement, isWord }];
    this.#byStart.set(
      start,
      entries.sort((left, right) => right.folded.length - left.folded.length),
    );
    this.#longest = Math.max(this.#longest, folded.length);
  }

  replacementOf(text: string): string | undefined {
    const folded = fold(text);
    const entries = this.#byStart.get(folded.slice(0, this.#keyLength));
    return entries?.find((entry) => entry.folded === folded)?.replacement;
  }

  replace(text: string): string {
    const folded = fold(text);
    let replaced = "";
    let end = 0;
    for (let at = 0; at + this.#keyLength <= folded.length; at += 1) {
      const found = this.#byStart
        .get(folded.slice(at, at + this.#keyLength))
        ?.find((entry) => folded.startsWith(entry.folded, at) && isAllowed(entry, folded, at));
      if (found === undefined) continue;
      replaced += text.slice(end, at) + found.replacement;
      end = at + found.folded.length;
      at = end - 1;
    }
    return replaced + text.slice(end);
  }

  /** Replaces the end of a text that was cut off inside of one of the texts, where at least `least` characters of it are left. */
  replaceEnd(text: string, least: number): string {
    const folded = fold(text);
    for (let at = Math.max(0, folded.length - this.#longest); at + least <= folded.length; at += 1) {
      const entries = this.#byStart.get(folded.slice(at, at + this.#keyLength));
      if (entries === undefined) continue;
      const rest = folded.slice(at);
      const found = entries.find((entry) => !entry.isWord && entry.folded.startsWith(rest));
      if (found !== undefined) return text.slice(0, at) + found.replacement;
    }
    return text;
  }
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[A-Za-z0-9]/.test(character);

function isAllowed({ folded: text, isWord }: Entry, folded: string, at: number): boolean {
  if (!isWord) return true;
  const goesOnBefore = isWordCharacter(text[0]) && isWordCharacter(folded[at - 1]);
  const goesOnAfter = isWordCharacter(text.at(-1)) && isWordCharacter(folded[at + text.length]);
  return !goesOnBefore && !goesOnAfter;
}

/** In lower case, with every character in its place: some change their length. */
function fold(text: string): string {
  return text.replaceAll(/[A-Z]+|\p{Lu}/gu, (letters) => {
    const lower = letters.toLowerCase();
    return lower.length === letters.length ? lower : letters;
  });
}
