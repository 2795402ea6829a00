/** A text to look for, and what to put in its place. */
interface Entry {
  readonly folded: string;
  readonly replacement: string;
  /** Only where no letter or digit goes on from it. */
  readonly isWord: boolean;
  /** A later piece of a long text: directly behind another match it adds nothing. */
  readonly isNextPiece: boolean;
  /** The longest other entry that this one begins with. */
  shorter?: Entry | undefined;
}

/** Entries that begin with the same characters. */
interface Bucket {
  entries: Entry[];
  /** The entries that are not words, for texts that were cut off. */
  whole: Entry[];
  isSorted: boolean;
}

type EntryOptions = Pick<Entry, "isWord"> & Partial<Pick<Entry, "isNextPiece">>;

/** In base64 the character between two pieces depends on both. */
const LARGEST_GAP = 2;

/**
 * Replaces many texts at once, the longest first, in upper and lower case. Servers choose some of the texts and what they are
 * looked for in, so entries that begin alike are sorted and searched by halves, never one by one.
 */
export class TextMatcher {
  readonly #keyLength: number;
  readonly #entries = new Map<string, Entry>();
  readonly #byStart = new Map<string, Bucket>();
  #longest = 0;

  /** No text may be shorter than `keyLength`. */
  constructor(keyLength: number) {
    this.#keyLength = keyLength;
  }

  get isEmpty(): boolean {
    return this.#longest === 0;
  }

  add(text: string, replacement: string, { isWord, isNextPiece = false }: EntryOptions): void {
    const folded = fold(text);
    const known = this.#entries.get(folded);
    const start = folded.slice(0, this.#keyLength);
    const bucket = this.#byStart.get(start) ?? { entries: [], whole: [], isSorted: true };
    const entry: Entry = {
      folded,
      replacement,
      isWord,
      isNextPiece: isNextPiece || known?.isNextPiece === true,
    };
    if (known === undefined) bucket.entries.push(entry);
    else if (isSame(known, entry)) return;
    else bucket.entries[bucket.entries.indexOf(known)] = entry;
    bucket.isSorted = false;
    this.#entries.set(folded, entry);
    this.#byStart.set(start, bucket);
    this.#longest = Math.max(this.#longest, folded.length);
  }

  replacementOf(text: string): string | undefined {
    return this.#entries.get(fold(text))?.replacement;
  }

  replace(text: string): string {
    const folded = fold(text);
    let replaced = "";
    let end = 0;
    for (let at = 0; at + this.#keyLength <= folded.length; at += 1) {
      const bucket = this.#bucketAt(folded, at);
      const found = bucket && this.#findIn(bucket, folded, at);
      if (found === undefined) continue;
      const goesOn = found.isNextPiece && end > 0 && at - end <= LARGEST_GAP;
      if (!goesOn) replaced += text.slice(end, at) + found.replacement;
      end = at + found.folded.length;
      at = end - 1;
    }
    return replaced + text.slice(end);
  }

  /** Replaces the end of a text that was cut off inside of one of the texts, where at least `least` characters of it are left. */
  replaceEnd(text: string, least: number): string {
    const folded = fold(text);
    for (let at = Math.max(0, folded.length - this.#longest); at + least <= folded.length; at += 1) {
      const bucket = this.#bucketAt(folded, at);
      if (bucket === undefined) continue;
      const rest = folded.slice(at);
      const next = bucket.whole[countWhile(bucket.whole, (entry) => entry.folded < rest)];
      if (next?.folded.startsWith(rest) === true) return text.slice(0, at) + next.replacement;
    }
    return text;
  }

  #bucketAt(folded: string, at: number): Bucket | undefined {
    const bucket = this.#byStart.get(folded.slice(at, at + this.#keyLength));
    if (bucket?.isSorted === false) sort(bucket);
    return bucket;
  }

  /** The longest entry that is here. It is the last one that sorts before the text, or one that this begins with. */
  #findIn({ entries }: Bucket, folded: string, at: number): Entry | undefined {
    const text = folded.slice(at, at + this.#longest);
    const nearest = entries[countWhile(entries, (entry) => entry.folded <= text) - 1];
    if (nearest === undefined) return undefined;
    const shared = sharedLength(nearest.folded, text);
    let entry: Entry | undefined = nearest;
    while (entry !== undefined && !(entry.folded.length <= shared && isAllowed(entry, folded, at)))
      entry = entry.shorter;
    return entry;
  }
}

const isSame = (left: Entry, right: Entry): boolean =>
  left.replacement === right.replacement &&
  left.isWord === right.isWord &&
  left.isNextPiece === right.isNextPiece;

function sort(bucket: Bucket): void {
  const { entries } = bucket;
  entries.sort((left, right) => (left.folded < right.folded ? -1 : 1));
  let before: Entry | undefined;
  for (const entry of entries) {
    while (before !== undefined && !entry.folded.startsWith(before.folded)) before = before.shorter;
    entry.shorter = before;
    before = entry;
  }
  bucket.whole = entries.filter(({ isWord }) => !isWord);
  bucket.isSorted = true;
}

/** How many items at the beginning of a sorted list are so. */
function countWhile<T>(items: readonly T[], isSo: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && isSo(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sharedLength(left: string, right: string): number {
  if (right.startsWith(left)) return left.length;
  let length = 0;
  while (length < right.length && left.charCodeAt(length) === right.charCodeAt(length)) length += 1;
  return length;
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[A-Za-z0-9]/.test(character);

function isAllowed({ folded: text, isWord }: Entry, folded: string, at: number): boolean {
  if (!isWord) return true;
  const goesOnBefore = isWordCharacter(text[0]) && isWordCharacter(folded[at - 1]);
  const goesOnAfter = isWordCharacter(text.at(-1)) && isWordCharacter(folded[at + text.length]);
  return !goesOnBefore && !goesOnAfter;
}

/** The lower case of these depends on what is around them, or is longer than they are. */
const ODD_LETTERS = /[\u0130\u03a3]/;

/** In lower case, with every character in its place. */
function fold(text: string): string {
  if (!ODD_LETTERS.test(text)) return text.toLowerCase();
  return text.replaceAll(/[A-Z]+|\p{Lu}/gu, (letters) => {
    const lower = letters.toLowerCase();
    return lower.length === letters.length ? lower : letters;
  });
}
