import { markHuge } from "../model/index.ts";
import { nextTurn } from "./yielding.ts";

/** More values take too much memory, even if the text is short. */
const MAX_VALUES = 1_000_000;
/** An object with more members is huge: even listing its keys is slow. */
const MANY_MEMBERS = 20_000;
/** The work per turn: values, and text in units of 64 characters. About 20 ms. */
const WORK_PER_TURN = 10_000;

/** Text up to this length is parsed at once. */
const AT_ONCE = 256 * 1024;
/** Containers up to this length are parsed at once. */
const SHORT = 8_192;
/** Longer strings are read in pieces of this length. */
const PIECE = 256 * 1024;
/** The length of text that counts as much as one value, as a power of two. */
const TEXT_SHIFT = 6;

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS: ReadonlyMap<string, { readonly word: string; readonly value: boolean | null }> = new Map([
  ["t", { word: "true", value: true }],
  ["f", { word: "false", value: false }],
  ["n", { word: "null", value: null }],
]);

/** Thrown for JSON that is valid so far, but contains too many values. */
export class TooManyValuesError extends Error {}

interface SliceOptions {
  /** Lets other work run. */
  readonly turn?: () => Promise<void>;
  readonly mostValues?: number;
}

type Container = unknown[] | Record<string, unknown>;

/** Parses JSON as `JSON.parse` does, and lets other work run in between. Rejects with `SyntaxError` or `TooManyValuesError`. */
export async function parseJsonInSlices(text: string, options: SliceOptions = {}): Promise<unknown> {
  const { turn = nextTurn, mostValues = MAX_VALUES } = options;
  const parser = new SlicedParser(text, mostValues);
  while (!parser.run(WORK_PER_TURN)) await turn();
  return parser.result;
}

/** Parses one of Plugboard's own files: at once if it is short, otherwise in slices. The number of values is not limited. */
export async function parseOwnJson(text: string): Promise<unknown> {
  if (text.length <= AT_ONCE) return JSON.parse(text) as unknown;
  return parseJsonInSlices(text, { mostValues: Number.POSITIVE_INFINITY });
}

interface LongString {
  readonly start: number;
  /** The pieces of the string, once it has an escape. */
  pieces: string[] | undefined;
}

/** Characters that a string cannot contain unescaped. */
// oxlint-disable-next-line no-control-regex
const NOT_PLAIN = /[\\\u0000-\u001f]/;

class SlicedParser {
  readonly #text: string;
  readonly #mostValues: number;
  #at = 0;
  #work = 0;
  #values = 0;
  /** The open containers, the current key of each, and how many members each object has. */
  readonly #open: Container[] = [];
  readonly #keys: string[] = [];
  readonly #members: number[] = [];
  /** Containers that start before this position are not short. */
  #tryAgainAt = 0;
  /** A long string that has not ended yet. */
  #long: LongString | undefined;
  result: unknown;

  constructor(text: string, mostValues: number) {
    this.#text = text;
    this.#mostValues = mostValues;
  }

  /** Parses for up to `work` units. Returns whether the end was reached. */
  run(work: number): boolean {
    this.#work = work;
    while (this.#work > 0) {
      if (this.#long !== undefined) {
        this.#readPiece(this.#long);
        continue;
      }
      if (this.#open.length === 0 && this.#values > 0) {
        if (this.#peek() !== "") throw this.#wrong();
        return true;
      }
      this.#readValue();
    }
    return false;
  }

  #readValue(): void {
    this.#values += 1;
    this.#work -= 1;
    if (this.#values > this.#mostValues) throw new TooManyValuesError(`more than ${this.#mostValues} values`);
    const sign = this.#peek();
    if (sign === "{" || sign === "[") {
      if (this.#readSmallContainer()) return;
      this.#at += 1;
      this.#begin(sign === "[" ? [] : {});
    } else if (sign === '"') {
      const end = stringEnd(this.#text, this.#at + 1, this.#at + PIECE);
      if (end === undefined) {
        this.#at += 1;
        this.#long = { start: this.#at, pieces: undefined };
      } else this.#put(this.#takeString(end));
    } else this.#put(this.#readScalar(sign));
  }

  /** Reads a short container with `JSON.parse`, which is faster. Returns whether the container is short. */
  #readSmallContainer(): boolean {
    if (this.#at < this.#tryAgainAt) return false;
    const { end, values } = shortContainer(this.#text, this.#at);
    if (end === undefined) {
      this.#tryAgainAt = this.#at + SHORT; // otherwise every level of a deep value would be scanned
      return false;
    }
    const text = this.#text.slice(this.#at, end);
    this.#values += values;
    this.#work -= values + (text.length >> TEXT_SHIFT);
    this.#at = end;
    this.#put(JSON.parse(text));
    return true;
  }

  #begin(container: Container): void {
    this.#open.push(container);
    this.#keys.push("");
    this.#members.push(0);
    const isList = Array.isArray(container);
    if (this.#peek() === (isList ? "]" : "}")) this.#put(this.#close());
    else if (!isList) this.#readKey();
  }

  /** Closes the innermost container and returns it, so that it can be added to its parent. */
  #close(): Container | undefined {
    this.#at += 1;
    this.#keys.pop();
    const container = this.#open.pop();
    if ((this.#members.pop() ?? 0) > MANY_MEMBERS && container !== undefined) markHuge(container);
    return container;
  }

  /** Adds a value to its container and moves to the start of the next value. */
  #put(first: unknown): void {
    let value = first;
    for (let container = this.#open.at(-1); container !== undefined; container = this.#open.at(-1)) {
      const isList = Array.isArray(container);
      if (isList) (container as unknown[]).push(value);
      else setMember(container as Record<string, unknown>, this.#keys.at(-1) ?? "", value);
      const sign = this.#peek();
      if (sign === ",") {
        this.#at += 1;
        if (!isList) this.#readKey();
        return;
      }
      if (sign !== (isList ? "]" : "}")) throw this.#wrong();
      value = this.#close();
    }
    this.result = value;
  }

  #readKey(): void {
    const top = this.#keys.length - 1;
    const members = (this.#members[top] ?? 0) + 1;
    this.#members[top] = members;
    if (members > MANY_MEMBERS) this.#values += 3; // adding members to a huge object is slow
    if (this.#peek() !== '"') throw this.#wrong();
    const end = stringEnd(this.#text, this.#at + 1, this.#at + PIECE);
    if (end === undefined)
      throw this.#text.length - this.#at > PIECE
        ? new TooManyValuesError("a key is too long")
        : this.#wrong();
    this.#keys[top] = this.#takeString(end);
    if (this.#peek() !== ":") throw this.#wrong();
    this.#at += 1;
  }

  /** Reads the string that starts here and has its closing quote at `end`. */
  #takeString(end: number): string {
    const start = this.#at;
    this.#at = end + 1;
    this.#work -= (end - start) >> TEXT_SHIFT;
    // A slice would keep the whole text in memory as long as one of its strings is used.
    return JSON.parse(this.#text.slice(start, end + 1)) as string;
  }

  /** Reads the next piece of a long string. Nothing is copied before there is an escape. */
  #readPiece(long: LongString): void {
    const start = this.#at;
    const end = stringEnd(this.#text, start, start + PIECE);
    const stop = end ?? pieceEnd(this.#text, start);
    if (stop >= this.#text.length) throw this.#wrong();
    const piece = this.#text.slice(start, stop);
    if (long.pieces === undefined && NOT_PLAIN.test(piece))
      long.pieces = [this.#text.slice(long.start, start)];
    long.pieces?.push(JSON.parse(`"${piece}"`) as string);
    this.#at = stop;
    this.#work -= (stop - start) >> TEXT_SHIFT;
    if (end === undefined) return;
    this.#at += 1;
    this.#long = undefined;
    this.#put(long.pieces?.join("") ?? this.#plainString(long.start, end));
  }

  /** A string that is most of the text is a slice of it, which takes no memory. Any other would keep the whole text in memory. */
  #plainString(start: number, end: number): string {
    const slice = this.#text.slice(start, end);
    return 2 * slice.length > this.#text.length ? slice : (JSON.parse(`"${slice}"`) as string);
  }

  #readScalar(sign: string): unknown {
    const literal = LITERALS.get(sign);
    if (literal !== undefined && this.#text.startsWith(literal.word, this.#at)) {
      this.#at += literal.word.length;
      return literal.value;
    }
    NUMBER.lastIndex = this.#at;
    const [digits] = NUMBER.exec(this.#text) ?? [];
    if (digits === undefined) throw this.#wrong();
    this.#at += digits.length;
    return Number(digits);
  }

  /** Returns the next character that is not white space, or "" at the end. */
  #peek(): string {
    if (this.#text.charCodeAt(this.#at) <= 32) {
      SPACE.lastIndex = this.#at;
      SPACE.test(this.#text);
      this.#work -= (SPACE.lastIndex - this.#at) >> TEXT_SHIFT;
      this.#at = SPACE.lastIndex;
    }
    return this.#text.charAt(this.#at);
  }

  #wrong(): SyntaxError {
    return new SyntaxError(`Unexpected JSON at position ${this.#at}`);
  }
}

/**
 * Returns the end of the container at `start`, if it is short and well formed, and about how many values it contains.
 */
function shortContainer(text: string, start: number): { end: number | undefined; values: number } {
  const last = Math.min(text.length, start + SHORT);
  let depth = 0;
  let values = 0;
  for (let at = start; at < last; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      const end = stringEnd(text, at + 1, last);
      if (end === undefined) break;
      at = end;
    } else if (code === 44) values += 1;
    else if (code === 123 || code === 91) {
      depth += 1;
      values += 1;
    } else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) return { end: at + 1, values };
    }
  }
  return { end: undefined, values };
}

/** Returns the position of the closing quote of the string that continues at `from`, if it is before `last`. */
function stringEnd(text: string, from: number, last: number): number | undefined {
  const end = Math.min(text.length, last);
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) return at;
    if (code === 92) at += 1;
  }
  return undefined;
}

/** Returns a position about one piece after `from` where a string can be split: not inside an escape. */
function pieceEnd(text: string, from: number): number {
  let at = from;
  while (at < from + PIECE) {
    if (text.charCodeAt(at) !== 92) at += 1;
    else at += text.charAt(at + 1) === "u" ? 6 : 2;
  }
  return at;
}

/** Sets a member. `__proto__` is treated like any other key. */
function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
