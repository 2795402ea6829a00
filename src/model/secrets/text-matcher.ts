/** A text to find, and its replacement. */
interface Entry {
  readonly folded: string;
  readonly replacement: string;
  /** Match only if no letter or digit is directly before or after the text. */
  readonly isWord: boolean;
  /** Marks the later pieces of a long text. A piece directly after another match adds no second replacement. */
  readonly isNextPiece: boolean;
  /** The longest other entry that this one begins with. */
  shorter?: Entry | undefined;
}

/** Entries that start with the same characters. */
interface Bucket {
  entries: Entry[];
  /** The entries that are not whole words. Used for truncated text. */
  whole: Entry[];
  isSorted: boolean;
}

type EntryOptions = Pick<Entry, "isWord"> & Partial<Pick<Entry, "isNextPiece">>;

/** In base64, the character between two pieces depends on both, so it is not part of either match. */
const LARGEST_GAP = 2;

/**
 * Replaces many texts at once. Prefers the longest match and ignores case. Servers control some of the texts and the
 * input, so entries with the same start are found by binary search, never one by one.
 */
export class TextMatcher {
  readonly #keyLength: number;
  readonly #entries = new Map<string, Entry>();
  readonly #byStart = new Map<string, Bucket>();
  #longest = 0;

  /** Creates a matcher for texts of at least `keyLength` characters. */
  constructor(keyLength: number) {
    this.#keyLength = keyLength;
  }

  get isEmpty(): boolean {
    return this.#longest === 0;
  }

  /** Adds a text to find, or updates its replacement. */
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

  /** Returns the replacement of a text that was added. */
  replacementOf(text: string): string | undefined {
    return this.#entries.get(fold(text))?.replacement;
  }

  /** Replaces all matches. */
  replace(text: string): string {
    const folded = fold(text);
    let replaced = "";
    let end = 0;
    for (let at = 0; at + this.#keyLength <= folded.length; at += 1) {
      const bucket = this.#bucketAt(folded, at);
      const found = bucket && this.#findIn(bucket, folded, at);
      if (found === undefined) continue;
      const isContinuation = found.isNextPiece && end > 0 && at - end <= LARGEST_GAP;
      if (!isContinuation) replaced += text.slice(end, at) + found.replacement;
      end = at + found.folded.length;
      at = end - 1;
    }
    return replaced + text.slice(end);
  }

  /** Replaces a partial match at the end of truncated text, if at least `least` characters of the match are left. */
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

  /** Returns the longest entry at this position: the last one that sorts before the text, or a prefix of that one. */
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

/** Returns how many items at the start of a sorted list match. */
function countWhile<T>(items: readonly T[], matches: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && matches(item)) low = middle + 1;
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
  const continuesBefore = isWordCharacter(text[0]) && isWordCharacter(folded[at - 1]);
  const continuesAfter = isWordCharacter(text.at(-1)) && isWordCharacter(folded[at + text.length]);
  return !continuesBefore && !continuesAfter;
}

/** Letters whose lower case is longer than they are, or depends on the context. */
const UNSTABLE_LETTERS = /[\u0130\u03a3]/;

/** Converts text to lower case without moving any character to another index. */
function fold(text: string): string {
  if (!UNSTABLE_LETTERS.test(text)) return text.toLowerCase();
  return text.replaceAll(/[A-Z]+|\p{Lu}/gu, (letters) => {
    const lower = letters.toLowerCase();
    return lower.length === letters.length ? lower : letters;
  });
}
