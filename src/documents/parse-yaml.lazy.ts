import {
  Composer,
  CST,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  visit,
  type YAMLMap,
  type Document as YamlDocument,
} from "yaml";
import { type JsonValue, memoize, messageOf, type Position } from "../model/index.ts";
import { createPace } from "../platform/index.ts";
import { countMarks } from "./count-marks.ts";
import {
  type Document,
  type DocumentProblem,
  failedDocument,
  MAX_DUPLICATE_KEYS,
  type Path,
} from "./document.ts";

/** No config file needs more levels, and code that walks the value must not overflow the stack. */
const DEEPEST = 200;

/** Limits for project files: the library takes about ten microseconds per mark, and aliases multiply values. */
const MAX_MARKS = 10_000;
const MAX_ALIASES = 100;
const MAX_VALUES = 50_000;
const LEXEMES_PER_STEP = 200;

/** Parses YAML 1.2 and keeps the position of every member. Never throws. */
export function parseYaml(text: string): Document {
  const steps = parseInSteps(text, false);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Parses YAML from a project file. Rejects text that would take long to parse, and lets other work run in between. */
export async function parseProjectYaml(
  text: string,
  pace: () => Promise<void> | undefined = createPace(),
): Promise<Document> {
  const steps = parseInSteps(text, true);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pace();
  }
}

function* parseInSteps(text: string, isLimited: boolean): Generator<undefined, Document> {
  if (text.trim() === "") {
    return failedDocument({
      code: "file-empty",
      severity: "error",
      message: "is empty",
      at: { line: 1, column: 1 },
    });
  }
  const lineCounter = new LineCounter();
  const locate = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line, column: col };
  };
  const failed = (message: string, offset = 0): Document =>
    failedDocument({ code: "file-syntax", severity: "error", message, at: locate(offset) });
  const tooLarge = (message: string): Document =>
    failedDocument({ code: "file-too-large", severity: "error", message, at: { line: 1, column: 1 } });
  if (isLimited && countMarks(text, "yaml") > MAX_MARKS)
    return tooLarge(
      "is ignored: it is not plain YAML and has more than 10,000 line breaks and punctuation marks",
    );
  try {
    const { tokens, deep = tooDeep(tokens)?.offset } = yield* readTokens(text, lineCounter);
    if (deep !== undefined) return failed("is nested too deeply", deep);
    yield;
    // The library's own check for duplicate keys takes quadratic time.
    const composer = new Composer({ logLevel: "error", uniqueKeys: false, resolveKnownTags: false });
    const [document, second] = composer.compose(tokens, true, text.length);
    if (document === undefined) return failed("contains no value");
    const [error] = document.errors;
    if (error !== undefined) return failed(`is not valid YAML: ${error.message}`, error.pos[0]);
    if (second !== undefined) return failed("contains more than one document", second.range[0]);
    yield;
    if (isLimited && countAliases(document) > MAX_ALIASES)
      return tooLarge("is ignored: it has more than 100 aliases");
    const value = withoutPrototype(document.toJS(), { left: isLimited ? MAX_VALUES : Infinity });
    yield;
    return {
      value,
      problems: equalKeys(document.contents, locate),
      at: (path) => locateNode(document, path, locate),
    };
  } catch (error) {
    return failed(`is not valid YAML: ${messageOf(error)}`);
  }
}

interface Tokens {
  readonly tokens: readonly CST.Token[];
  /** The position where reading stopped because of deep nesting. */
  readonly deep?: number;
}

/**
 * Reads the tokens. Stops where brackets, or the dashes of one line, are nested too deeply, because the parser is slow
 * for these.
 */
function* readTokens(text: string, { addNewLine }: LineCounter): Generator<undefined, Tokens> {
  const parser = new Parser(addNewLine);
  const tokens: CST.Token[] = [];
  let previous = "";
  let brackets = 0;
  let dashes = 0;
  let count = 0;
  addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    const isText = previous === CST.SCALAR;
    if (!isText && /^[[{]$/.test(lexeme)) brackets += 1;
    else if (!isText && /^[\]}]$/.test(lexeme)) brackets -= 1;
    else if (!isText && brackets === 0 && /^[-?]$/.test(lexeme)) dashes += 1;
    else if (lexeme.endsWith("\n")) dashes = 0;
    if (brackets > DEEPEST || dashes > DEEPEST) return { tokens, deep: parser.offset };
    for (const token of parser.next(lexeme)) tokens.push(token);
    previous = lexeme;
    count += 1;
    if (count % LEXEMES_PER_STEP === 0) yield;
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens };
}

/** Returns the first token that is nested too deeply. The parser itself is not recursive, but later steps are. */
function tooDeep(tokens: readonly CST.Token[]): CST.Token | undefined {
  const pending = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { token, depth } = next;
    if (depth > DEEPEST) return token;
    const inside =
      "items" in token
        ? token.items.flatMap(({ key, value }) => [key, value])
        : [token.type === "document" ? token.value : undefined];
    for (const child of inside) if (child) pending.push({ token: child, depth: depth + 1 });
  }
  return undefined;
}

/** Reports duplicate keys. The last one is used. */
function equalKeys(
  node: unknown,
  locate: (offset: number) => Position,
  found: DocumentProblem[] = [],
): DocumentProblem[] {
  if (isSeq(node)) for (const item of node.items) equalKeys(item, locate, found);
  if (!isMap(node)) return found;
  const seen = new Set<unknown>();
  for (const pair of node.items) {
    const key = nameOf(pair.key);
    if (seen.has(key) && found.length < MAX_DUPLICATE_KEYS) {
      const message = `has "${String(key)}" twice; the last one is used`;
      found.push({ code: "duplicate-key", severity: "warning", message, at: locate(startOf(pair.key)) });
    }
    seen.add(key);
    equalKeys(pair.value, locate, found);
  }
  return found;
}

/** Indexes the pairs of a map by name, because a map can be large. The last of duplicate names is used. */
const pairsByName = memoize(
  (map: YAMLMap): ReadonlyMap<unknown, Pair> => new Map(map.items.map((pair) => [nameOf(pair.key), pair])),
);

function locateNode(
  document: YamlDocument,
  path: Path,
  locate: (offset: number) => Position,
): Position | undefined {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const step of path) {
    if (isMap(node)) {
      const pair = pairsByName(node).get(step);
      if (pair === undefined) return undefined;
      offset = startOf(pair.key);
      node = pair.value;
    } else if (isSeq(node) && typeof step === "number") {
      node = node.items[step];
      if (node === undefined) return undefined;
      offset = startOf(node);
    } else return undefined;
  }
  return locate(offset);
}

/**
 * Returns the member's name in the value. A key can also be a number or empty. A list or map as a key equals only
 * itself.
 */
function nameOf(key: unknown): unknown {
  return isScalar(key) ? String(key.value ?? "") : key;
}

function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

/**
 * Copies a value to objects without a prototype. Throws if an alias refers to itself, or if aliases expand to too many
 * values.
 */
function withoutPrototype(value: unknown, values: { left: number }, depth = 0): JsonValue {
  values.left -= 1;
  if (values.left < 0) throw new Error("its aliases expand to more than 50,000 values");
  if (depth > DEEPEST) throw new Error("an alias refers to itself");
  if (Array.isArray(value)) return value.map((item) => withoutPrototype(item, values, depth + 1));
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || value === null) return (value ?? null) as JsonValue;
  // The library converts `!!binary` to bytes and `!!set` to a set. A config has neither, and each byte would become a
  // member.
  if (Object.getPrototypeOf(value) !== Object.prototype)
    throw new Error("a value is not a text, a number, a list or a map");
  const object: Record<string, JsonValue> = Object.create(null);
  for (const [key, member] of Object.entries(value))
    object[key] = withoutPrototype(member, values, depth + 1);
  return object;
}

function countAliases(document: YamlDocument): number {
  let count = 0;
  visit(document, { Alias: () => void (count += 1) });
  return count;
}
