import type { JsonValue } from "../model/index.ts";
import type { Document, Path } from "./document.ts";
import { createLocator } from "./position.ts";

/**
 * Parses the YAML that most config files use: indented maps and lists, and scalars or bracketed values on one line.
 * Returns `undefined` for anything else; then the full parser is used, which takes twenty times as long to load. A test
 * compares the two.
 */
export function parsePlainYaml(text: string): Document | undefined {
  if (UNUSUAL.test(text)) return undefined;
  try {
    const reader = new Reader(linesOf(text));
    const root = reader.block(0);
    if (!reader.isAtEnd) return undefined;
    const locate = createLocator(text);
    return {
      value: root.value,
      problems: [],
      at(path) {
        const offset = offsetOf(root, path);
        return offset === undefined ? undefined : locate(offset);
      },
    };
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

/** Tabs, unusual characters, directives and document markers. */
const UNUSUAL = /[^\r\n\x20-\x7e\u00a1-\u1fff\u3001-\ud7ff]|^(?:---|\.\.\.|%)|\r(?!\n)/m;
const DEEPEST = 50;
const KEY = /^(?:[A-Za-z_$/][\w$@/.-]*(?: [\w$@/.-]+)*|"[^"\\]*"|'[^']*'):(?: +|$)/;
const NUMBER = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** Special numbers, such as `.inf` and `0x1f`. */
const SPECIAL = /^(?:[-+]?\.(?:inf|nan)|0[ox].*)$/i;
const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ...["~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

class NotPlain extends Error {}

interface Node {
  readonly offset: number;
  readonly value: JsonValue;
  readonly members?: ReadonlyMap<string | number, { readonly offset: number; readonly node: Node }>;
  readonly items?: readonly Node[];
}

interface Line {
  readonly indent: number;
  readonly text: string;
  /** The offset of the text after the indentation. */
  readonly offset: number;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const content = line.replace(/^ +/, "");
    const indent = line.length - content.length;
    const clean = withoutSpacesAtEnd(content.endsWith("\r") ? content.slice(0, -1) : content);
    if (clean !== "" && !clean.startsWith("#")) lines.push({ indent, text: clean, offset: start + indent });
    start += line.length + 1;
  }
  return lines;
}

/** Removes trailing spaces. A regular expression would take quadratic time for a long run of spaces. */
function withoutSpacesAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end -= 1;
  return text.slice(0, end);
}

class Reader {
  readonly #lines: Line[];
  #next = 0;

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#lines.length;
  }

  /** Reads the map or list that starts at the next line, with its indentation. */
  block(depth: number): Node {
    const first = this.#lines[this.#next];
    if (first === undefined || depth > DEEPEST) throw new NotPlain();
    return isItem(first) ? this.#list(first, depth) : this.#map(first, depth);
  }

  #map({ indent, offset }: Line, depth: number): Node {
    const members = new Map<string, { offset: number; node: Node }>();
    const value: Record<string, JsonValue> = Object.create(null);
    for (let line = this.#at(indent); line !== undefined && !isItem(line); line = this.#at(indent)) {
      const head = KEY.exec(line.text)?.[0];
      if (head === undefined) throw new NotPlain();
      const name = unquoted(head.replace(/: *$/, ""));
      if (name === "" || typeof plain(name) !== "string" || members.has(name)) throw new NotPlain();
      this.#next += 1;
      const node = this.#member(line, head.length, depth);
      members.set(name, { offset: line.offset, node });
      value[name] = node.value;
    }
    return { offset, value, members };
  }

  /** Reads the value of a key: on the same line or on the lines below. A list below need not be indented. */
  #member({ indent, text, offset }: Line, start: number, depth: number): Node {
    const rest = text.slice(start);
    if (rest !== "" && !rest.startsWith("#")) return readLine(rest, offset + start);
    const below = this.#lines[this.#next];
    if (below !== undefined && (below.indent > indent || (below.indent === indent && isItem(below)))) {
      return this.block(depth + 1);
    }
    return { offset, value: null };
  }

  #list({ indent, offset }: Line, depth: number): Node {
    const items: Node[] = [];
    for (let line = this.#at(indent); line !== undefined && isItem(line); line = this.#at(indent)) {
      const rest = line.text.slice(1).replace(/^ +/, "");
      const shift = line.text.length - rest.length;
      const inner = { indent: indent + shift, text: rest, offset: line.offset + shift };
      if (isItem(inner) || KEY.test(rest)) {
        this.#lines[this.#next] = inner;
        items.push(this.block(depth + 1));
      } else {
        this.#next += 1;
        items.push(readLine(rest, inner.offset));
      }
    }
    return { offset, value: items.map((item) => item.value), items };
  }

  /** Returns the next line if it has the block's indentation. A line that is indented deeper is left unread. */
  #at(indent: number): Line | undefined {
    const line = this.#lines[this.#next];
    return line?.indent === indent ? line : undefined;
  }
}

function isItem({ text }: Pick<Line, "text">): boolean {
  return text.startsWith("- ");
}

/** Reads a value on one line, possibly followed by a comment. */
function readLine(text: string, offset: number): Node {
  const first = text[0];
  if (first === "[" || first === "{") {
    const brackets = new Brackets(text, offset);
    const node = brackets.read(0);
    if (!/^(?: +#.*)?$/.test(text.slice(brackets.at))) throw new NotPlain();
    return node;
  }
  const quoted = QUOTED.exec(text)?.[0];
  if (quoted === undefined) {
    const comment = text.indexOf(" #");
    const bare = comment === -1 ? text : withoutSpacesAtEnd(text.slice(0, comment));
    if (!/^[\w./$~+-]/.test(bare) || /^-(?: |$)|: |:$/.test(bare)) throw new NotPlain();
    return { offset, value: plain(bare) };
  }
  if (!/^(?: +#.*)?$/.test(text.slice(quoted.length))) throw new NotPlain();
  return { offset, value: unquoted(quoted) };
}

const QUOTED = /^(?:"(?:[^"\\]|\\["\\/bfnrt])*"|'(?:[^']|'')*')/;
const FLOW_WORD = /^(?:[\w./$~+-](?:[^,[\]{}:# ]|:(?=[^,[\]{} ])| (?=[^,[\]{}:# ]))*)/;

/** Reads lists and maps in brackets. */
class Brackets {
  readonly #text: string;
  readonly #offset: number;
  at = 0;

  constructor(text: string, offset: number) {
    this.#text = text;
    this.#offset = offset;
  }

  read(depth: number): Node {
    if (depth > DEEPEST) throw new NotPlain();
    const offset = this.#offset + this.at;
    const first = this.#text[this.at];
    if (first === "[") return this.#list(offset, depth);
    if (first === "{") return this.#map(offset, depth);
    return { offset, value: this.#scalar() };
  }

  #list(offset: number, depth: number): Node {
    const items: Node[] = [];
    this.#open();
    while (!this.#closes("]")) {
      items.push(this.read(depth + 1));
      this.#separator("]");
    }
    return { offset, value: items.map((item) => item.value), items };
  }

  #map(offset: number, depth: number): Node {
    const members = new Map<string, { offset: number; node: Node }>();
    const value: Record<string, JsonValue> = Object.create(null);
    this.#open();
    while (!this.#closes("}")) {
      const at = this.#offset + this.at;
      const name = this.#scalar();
      if (typeof name !== "string" || name === "" || members.has(name)) throw new NotPlain();
      if (!this.#text.startsWith(": ", this.at)) throw new NotPlain();
      this.at += 1;
      this.#skip();
      const node = this.read(depth + 1);
      members.set(name, { offset: at, node });
      value[name] = node.value;
      this.#separator("}");
    }
    return { offset, value, members };
  }

  #scalar(): JsonValue {
    const rest = this.#text.slice(this.at);
    const quoted = QUOTED.exec(rest)?.[0];
    const word = quoted ?? FLOW_WORD.exec(rest)?.[0];
    if (word === undefined || /^-(?: |$)/.test(word)) throw new NotPlain();
    this.at += word.length;
    return quoted === undefined ? plain(word) : unquoted(word);
  }

  #open(): void {
    this.at += 1;
    this.#skip();
  }

  #closes(bracket: string): boolean {
    if (this.#text[this.at] !== bracket) return false;
    this.at += 1;
    return true;
  }

  #separator(bracket: string): void {
    this.#skip();
    if (this.#text[this.at] === ",") this.#open();
    else if (this.#text[this.at] !== bracket) throw new NotPlain();
  }

  #skip(): void {
    while (this.#text[this.at] === " ") this.at += 1;
  }
}

/** Converts a scalar without quotes by the rules of YAML's core schema. */
function plain(word: string): JsonValue {
  const known = WORDS.get(word);
  if (known !== undefined) return known;
  if (SPECIAL.test(word)) throw new NotPlain();
  return NUMBER.test(word) ? Number(word) : word;
}

function unquoted(text: string): string {
  if (text[0] === '"') return JSON.parse(text) as string;
  return text[0] === "'" ? text.slice(1, -1).replaceAll("''", "'") : text;
}

function offsetOf(root: Node, path: Path): number | undefined {
  let node: Node = root;
  let { offset } = root;
  for (const step of path) {
    const member = node.members?.get(step);
    const next = typeof step === "number" ? node.items?.[step] : member?.node;
    if (next === undefined) return undefined;
    node = next;
    offset = member?.offset ?? next.offset;
  }
  return offset;
}
