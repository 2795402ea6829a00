import { nextTurn } from "./in-turns.ts";

/** A message with more values than this takes too much memory, however short it is. */
const MOST_VALUES = 1_000_000;
/** No real object has more members, and each one of a large object costs a microsecond. */
const MOST_MEMBERS = 100_000;
/** What is parsed in one turn: values, and text in units of 64 characters. About 20 ms. */
const WORK_PER_TURN = 10_000;

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS: ReadonlyMap<string, { readonly word: string; readonly value: boolean | null }> = new Map([
  ["t", { word: "true", value: true }],
  ["f", { word: "false", value: false }],
  ["n", { word: "null", value: null }],
]);

/** Thrown for JSON that is valid as far as it was read, but holds too many values. */
export class TooManyValuesError extends Error {}

type Container = unknown[] | Record<string, unknown>;

/** Parses JSON as `JSON.parse` does, and lets other work run in between. Rejects with `SyntaxError` or `TooManyValuesError`. */
export async function parseJsonInSlices(
  text: string,
  turn: () => Promise<void> = nextTurn,
): Promise<unknown> {
  const parser = new SlicedParser(text);
  while (!parser.run(WORK_PER_TURN)) await turn();
  return parser.result;
}

class SlicedParser {
  readonly #text: string;
  #at = 0;
  #work = 0;
  #values = 0;
  /** The containers around the current place, the keys at which they go on, and how many members each object has. */
  readonly #open: Container[] = [];
  readonly #keys: string[] = [];
  readonly #members: number[] = [];
  result: unknown;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns whether the end was reached. */
  run(work: number): boolean {
    this.#work = work;
    while (this.#work > 0) {
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
    if (this.#values > MOST_VALUES) throw new TooManyValuesError(`more than ${MOST_VALUES} values`);
    const sign = this.#peek();
    if (sign === "{" || sign === "[") {
      this.#at += 1;
      this.#begin(sign === "[" ? [] : {});
    } else if (sign === '"') this.#put(this.#readString());
    else this.#put(this.#readScalar(sign));
  }

  #begin(container: Container): void {
    this.#open.push(container);
    this.#keys.push("");
    this.#members.push(0);
    const isList = Array.isArray(container);
    if (this.#peek() === (isList ? "]" : "}")) this.#put(this.#close());
    else if (!isList) this.#readKey();
  }

  /** Closes the innermost container and returns it: it is a value of the one around it. */
  #close(): Container | undefined {
    this.#at += 1;
    this.#keys.pop();
    this.#members.pop();
    return this.#open.pop();
  }

  /** Puts a value where it belongs and moves on to where the next one begins. */
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
    const count = (this.#members[top] ?? 0) + 1;
    if (count > MOST_MEMBERS)
      throw new TooManyValuesError(`an object with more than ${MOST_MEMBERS} members`);
    this.#members[top] = count;
    if (this.#peek() !== '"') throw this.#wrong();
    this.#keys[top] = this.#readString();
    if (this.#peek() !== ":") throw this.#wrong();
    this.#at += 1;
  }

  #readString(): string {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    while (end !== -1 && isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1);
    if (end === -1) throw this.#wrong();
    this.#at = end + 1;
    this.#work -= (end - start) >> 6;
    // A slice would keep the whole text in memory for as long as any string of it is used.
    return JSON.parse(this.#text.slice(start, end + 1)) as string;
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

  /** The next character that is not white space; empty at the end. */
  #peek(): string {
    if (this.#text.charCodeAt(this.#at) <= 32) {
      SPACE.lastIndex = this.#at;
      SPACE.test(this.#text);
      this.#at = SPACE.lastIndex;
    }
    return this.#text.charAt(this.#at);
  }

  #wrong(): SyntaxError {
    return new SyntaxError(`Unexpected JSON at position ${this.#at}`);
  }
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes += 1;
  return backslashes % 2 === 1;
}

/** A member called `__proto__` is one like any. */
function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
