import { type JsonValue, memoize } from "../model/index.ts";

/** A value in a JSON text, and its position. */
export interface JsonNode {
  readonly offset: number;
  /** The offset after the last character. */
  readonly end: number;
  readonly value: JsonValue;
  /** The members of an object in the order of the text, including duplicate names. */
  readonly members?: readonly JsonMember[];
  /** The items of a list. */
  readonly items?: readonly JsonNode[];
}

/** A member of an object, and its position. */
export interface JsonMember {
  readonly name: string;
  /** The offset of the name. */
  readonly offset: number;
  readonly node: JsonNode;
}

/** The root of a text, with the offsets of the first things in it that strict JSON does not allow. */
export interface JsonRoot extends JsonNode {
  readonly comment: number | undefined;
  readonly trailingComma: number | undefined;
}

/** The first syntax error in a JSON text. */
export class JsonSyntaxError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** No config file needs more levels, and code that walks the value must not overflow the stack. */
const DEEPEST = 250;

/** Parses JSON with comments and trailing commas in one pass. Throws a `JsonSyntaxError`. */
export function parseJsonTree(text: string): JsonRoot {
  const parser = new TreeParser(text);
  parser.skip();
  if (parser.isAtEnd) throw new JsonSyntaxError("contains no value", 0);
  const root = parser.value(0);
  parser.skip();
  if (!parser.isAtEnd) parser.fail(`has ${parser.found()} after the end of the value`);
  return { ...root, comment: parser.comment, trailingComma: parser.trailingComma };
}

/** Returns the member with this name, or the last one if there are several. */
export function memberOf(object: JsonNode, name: string | number): JsonMember | undefined {
  return membersByName(object).get(name);
}

/** Indexes the members by name, because searching a large object repeatedly is slow. */
const membersByName = memoize(
  ({ members }: JsonNode): ReadonlyMap<string | number, JsonMember> =>
    new Map(members?.map((member) => [member.name, member])),
);

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A string, a word or a single character, valid or not. */
const WORD = /"[^"]*"?|[^\s{}[\]",:/]+|[^]/y;
/** Captures the character after a backslash that does not start a valid escape. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4}|([^]))/g;
const LITERALS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

class TreeParser {
  readonly #text: string;
  #at = 0;
  comment: number | undefined;
  trailingComma: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Reads a value. Objects have no prototype, so that `__proto__` is an ordinary key. */
  value(depth: number): JsonNode {
    if (depth > DEEPEST) throw new JsonSyntaxError("is nested too deeply", 0);
    const offset = this.#at;
    switch (this.#text[offset]) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#list(depth);
      case '"':
        return { offset, value: this.#string(), end: this.#at };
      case undefined:
      case "}":
      case "]":
      case ",":
      case ":":
        return this.fail(`has ${this.found()} where a value is expected`);
      default:
        return { offset, value: this.#word(), end: this.#at };
    }
  }

  /** Skips white space and comments. */
  skip(): void {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code === 32 || code === 10 || code === 13 || code === 9) this.#at += 1;
      else if (text.startsWith("//", this.#at)) {
        this.comment ??= this.#at;
        const end = text.indexOf("\n", this.#at);
        this.#at = end === -1 ? text.length : end;
      } else if (text.startsWith("/*", this.#at)) {
        this.comment ??= this.#at;
        const end = text.indexOf("*/", this.#at + 2);
        if (end === -1) this.fail("has a comment that is not closed");
        this.#at = end + 2;
      } else return;
    }
  }

  /** Returns the word at the current position, for a message. */
  found(): string {
    return this.isAtEnd ? "the end of the text" : JSON.stringify(this.#match(WORD).slice(0, 20));
  }

  fail(message: string): never {
    throw new JsonSyntaxError(message, this.#at);
  }

  #object(depth: number): JsonNode {
    const offset = this.#at;
    const members: JsonMember[] = [];
    const value: Record<string, JsonValue> = Object.create(null);
    this.#at += 1;
    for (this.skip(); !this.#closes("}"); this.#separator("}")) {
      const at = this.#at;
      if (this.#text[at] !== '"') this.#failAtName();
      const name = this.#string();
      this.skip();
      if (this.#text[this.#at] !== ":") this.fail(`has ${this.found()} where a colon is expected`);
      this.#at += 1;
      this.skip();
      const node = this.value(depth + 1);
      members.push({ name, offset: at, node });
      value[name] = node.value;
    }
    return { offset, end: this.#at, value, members };
  }

  #list(depth: number): JsonNode {
    const offset = this.#at;
    const items: JsonNode[] = [];
    this.#at += 1;
    for (this.skip(); !this.#closes("]"); this.#separator("]")) items.push(this.value(depth + 1));
    return { offset, end: this.#at, value: items.map((item) => item.value), items };
  }

  #closes(bracket: "}" | "]"): boolean {
    if (this.isAtEnd) this.fail(`ends before the closing ${bracket} (is it incomplete?)`);
    if (this.#text[this.#at] !== bracket) return false;
    this.#at += 1;
    return true;
  }

  /** Reads a comma, unless the closing bracket follows. */
  #separator(bracket: "}" | "]"): void {
    this.skip();
    const at = this.#at;
    const next = this.#text[at];
    if (next === ",") this.#at += 1;
    else if (next !== undefined && next !== bracket)
      this.fail(`has ${this.found()} where a comma or a closing bracket is expected`);
    this.skip();
    if (next === "," && this.#text[this.#at] === bracket) this.trailingComma ??= at;
  }

  #failAtName(): never {
    const isMark = "{}[]:,".includes(this.#text.charAt(this.#at));
    return this.fail(
      isMark
        ? `has ${this.found()} where a name in double quotes is expected`
        : `has ${this.found()}, which is not JSON`,
    );
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    const literal = text.slice(start, end + 1);
    if (end === -1 || literal.includes("\n")) this.fail("has a string without a closing quote");
    this.#at = end + 1;
    try {
      return JSON.parse(literal) as string;
    } catch {
      throw new JsonSyntaxError(describeBadString(literal), start);
    }
  }

  #word(): JsonValue {
    const number = this.#match(NUMBER);
    if (number !== "") {
      if (/[.eE]/.test(this.#text.charAt(this.#at + number.length))) this.fail("has an incomplete number");
      this.#at += number.length;
      return Number(number);
    }
    const word = this.#match(WORD);
    const literal = LITERALS.get(word);
    if (literal === undefined) return this.fail(`has ${this.found()}, which is not JSON`);
    this.#at += word.length;
    return literal;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0] ?? "";
  }
}

function isEscaped(text: string, offset: number): boolean {
  let start = offset;
  while (text[start - 1] === "\\") start -= 1;
  return (offset - start) % 2 === 1;
}

function describeBadString(literal: string): string {
  for (const [, unknown] of literal.matchAll(ESCAPE)) {
    if (unknown === "u") return "has a string with an invalid \\u escape";
    if (unknown !== undefined) return "has a string with an unknown escape (a backslash is written \\\\)";
  }
  return "has a control character in a string";
}
