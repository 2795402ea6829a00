import { isList, type JsonObject, type JsonValue } from "../model/index.ts";

/** Deeper values could overflow the stack in other code. */
const DEEPEST = 1_000;
/** The deepest indentation. Without a limit, a few nested lists could become gigabytes of spaces. */
const DEEPEST_INDENT = 32;
const OMITTED = "…";
/** Longer strings are written in pieces of this length: escaping takes long if they are, for example, lone surrogates. */
const PIECE = 32 * 1024;
/** How many values a piece counts as. */
const PIECE_VALUES = 1_000;

/** Options for `JsonWriter`. */
export interface JsonWriterOptions {
  readonly indent?: number | undefined;
  /** The text is truncated after about this many characters. */
  readonly most: number;
  /** Returns the text to write for a string. */
  replace(key: string, text: string): string;
}

/** A list or an object that is being written. */
interface Open {
  readonly values: readonly JsonValue[] | undefined;
  readonly members: Readonly<Record<string, JsonValue>> | undefined;
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/**
 * Writes JSON like `JSON.stringify`, but a limited number of values at a time, and stops when the text is too long. Throws a
 * `RangeError` if a value is nested too deeply.
 */
export class JsonWriter {
  readonly #options: JsonWriterOptions;
  readonly #open: Open[] = [];
  /** The pieces that the current run has written. Earlier runs are in `#blocks`. */
  readonly #pieces: string[] = [];
  readonly #blocks: string[] = [];
  /** The rest of a long string that is being written. */
  #rest = "";
  #length = 0;

  constructor(value: JsonValue, options: JsonWriterOptions) {
    this.#options = options;
    this.#write("", value);
  }

  /** Writes up to `count` values. Returns whether it has finished. */
  run(count: number): boolean {
    const isDone = this.#run(count);
    this.#blocks.push(this.#pieces.join(""));
    this.#pieces.length = 0;
    return isDone;
  }

  get text(): string {
    return this.#blocks.join("");
  }

  #run(count: number): boolean {
    for (let left = count; left > 0; left -= 1) {
      const top = this.#open.at(-1);
      if (top === undefined && this.#rest === "") return true;
      if (this.#length > this.#options.most) {
        this.#add(OMITTED);
        this.#open.length = 0;
        this.#rest = "";
        return true;
      }
      if (this.#rest !== "" || top === undefined) {
        this.#writePiece();
        left -= PIECE_VALUES;
      } else if (top.next === top.length) this.#close(top);
      else this.#writeNext(top);
    }
    return this.#open.length === 0 && this.#rest === "";
  }

  #writeNext(top: Open): void {
    const index = top.next;
    top.next += 1;
    if (index > 0) this.#add(",");
    this.#breakLine(this.#open.length);
    if (top.values !== undefined) {
      this.#write(String(index), top.values[index] ?? null);
      return;
    }
    const key = top.keys?.[index] ?? "";
    this.#add(this.#options.indent === undefined ? `${JSON.stringify(key)}:` : `${JSON.stringify(key)}: `);
    this.#write(key, top.members?.[key] ?? null);
  }

  #write(key: string, value: JsonValue): void {
    if (typeof value === "string") this.#writeText(this.#options.replace(key, value));
    else if (typeof value !== "object" || value === null) this.#add(JSON.stringify(value) ?? "null");
    else this.#begin(value);
  }

  #writeText(text: string): void {
    if (text.length <= PIECE) this.#add(JSON.stringify(text));
    else {
      this.#add('"');
      this.#rest = text;
    }
  }

  #writePiece(): void {
    const text = this.#rest;
    const last = text.charCodeAt(PIECE - 1);
    const end = last >= 0xd800 && last <= 0xdbff ? PIECE + 1 : PIECE; // does not split a surrogate pair
    this.#add(JSON.stringify(text.slice(0, end)).slice(1, -1));
    this.#rest = text.slice(end);
    if (this.#rest === "") this.#add('"');
  }

  #begin(value: readonly JsonValue[] | JsonObject): void {
    const values = isList(value) ? value : undefined;
    const members = value as Readonly<Record<string, JsonValue>>;
    const keys = values === undefined ? Object.keys(members) : undefined;
    const length = values?.length ?? keys?.length ?? 0;
    const [first, last] = values === undefined ? "{}" : "[]";
    if (length === 0) {
      this.#add(`${first}${last}`);
      return;
    }
    if (this.#open.length >= DEEPEST) throw new RangeError("The value is nested too deeply.");
    this.#add(first ?? "");
    this.#open.push({ values, members, keys, length, next: 0 });
  }

  #close({ values }: Open): void {
    this.#open.pop();
    this.#breakLine(this.#open.length);
    this.#add(values === undefined ? "}" : "]");
  }

  #breakLine(depth: number): void {
    const { indent } = this.#options;
    if (indent !== undefined) this.#add(`\n${" ".repeat(indent * Math.min(depth, DEEPEST_INDENT))}`);
  }

  #add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
  }
}
