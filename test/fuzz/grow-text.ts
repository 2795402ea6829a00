/** Numbers from 0 up to 1; the same seed gives the same ones (mulberry32). */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Soil {
  /** Complete texts of this format. */
  readonly samples: readonly string[];
  /** Pieces of its grammar, and similar ones. */
  readonly pieces: readonly string[];
}

const ODD = [
  "\0",
  "\ufeff",
  "\r",
  "\n",
  "\r\n",
  "\t",
  " ",
  "\ud83d",
  "\u{1f600}",
  "é",
  "\u202e",
  "\u2028",
  "x",
];

/** Returns a text that is nearly valid: a sample with changes, or a sequence of pieces of the grammar. */
export function growText({ samples, pieces }: Soil, random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const piece = (): string => (random() < 0.15 ? pick(ODD) : pick(pieces));
  let text = "";
  if (random() < 0.5) text = pick(samples);
  else for (let left = 1 + Math.floor(random() ** 2 * 24); left > 0; left -= 1) text += piece();
  for (let left = Math.floor(random() ** 2 * 5); left > 0; left -= 1) {
    const at = Math.floor(random() * (text.length + 1));
    const length = Math.ceil(random() ** 3 * 20);
    const kind = random();
    if (kind < 0.4) text = text.slice(0, at) + piece() + text.slice(at);
    else if (kind < 0.7) text = text.slice(0, at) + text.slice(at + length);
    else if (kind < 0.9) text = text.slice(0, at + length) + text.slice(at);
    else text = text.slice(0, at);
  }
  return text;
}

/** Returns the shortest text that still fails, found by removing pieces. */
export function shrinkText(text: string, isBad: (text: string) => boolean): string {
  let smallest = text;
  for (let length = Math.ceil(smallest.length / 2); length > 0; length = Math.floor(length / 2)) {
    for (let at = 0; at < smallest.length; ) {
      const shorter = smallest.slice(0, at) + smallest.slice(at + length);
      if (isBad(shorter)) smallest = shorter;
      else at += length;
    }
  }
  return smallest;
}

/** Returns the bytes of a text in chunks of any size, including empty ones. */
export function* inChunks(bytes: Uint8Array, random: Random): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const length = Math.floor(random() ** 2 * 12);
    yield bytes.slice(at, at + length);
    at += length;
  }
}
