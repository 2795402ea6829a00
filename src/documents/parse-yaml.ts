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
import { type JsonValue, messageOf, type Position } from "../model/index.ts";
import { createPace } from "../platform/index.ts";
import { countMarks } from "./count-marks.ts";
import {
  type Document,
  type DocumentProblem,
  failedDocument,
  MOST_EQUAL_KEYS,
  type Path,
} from "./document.ts";

/** No config needs more; whoever walks the value later must not run out of stack. */
const DEEPEST = 200;

/** Limits for texts of a project: the library takes about ten microseconds for each mark, and aliases multiply values. */
const MOST_MARKS = 10_000;
const MOST_ALIASES = 100;
const MOST_VALUES = 50_000;
const LEXEMES_PER_STEP = 200;

/** Parses YAML 1.2, keeping the place of every member. Never throws. */
export function parseYaml(text: string): Document {
  const steps = parseInSteps(text, false);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same for a project's text: it refuses what would take long, and lets other work run between its steps. */
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
  if (isLimited && countMarks(text, "yaml") > MOST_MARKS)
    return tooLarge(
      "is ignored: it is not plain YAML and has more than 10,000 line breaks and punctuation marks",
    );
  try {
    const { tokens, deep = tooDeep(tokens)?.offset } = yield* readTokens(text, lineCounter);
    if (deep !== undefined) return failed("is nested too deeply", deep);
    yield;
    // Its own check for equal keys compares each with each.
    const composer = new Composer({ logLevel: "error", uniqueKeys: false, resolveKnownTags: false });
    const [document, second] = composer.compose(tokens, true, text.length);
    if (document === undefined) return failed("holds no value");
    const [error] = document.errors;
    if (error !== undefined) return failed(`is not valid YAML: ${error.message}`, error.pos[0]);
    if (second !== undefined) return failed("holds more than one document", second.range[0]);
    yield;
    if (isLimited && countAliases(document) > MOST_ALIASES)
      return tooLarge("is ignored: it has more than 100 aliases");
    const value = withoutPrototype(document.toJS(), { left: isLimited ? MOST_VALUES : Infinity });
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
  /** Where reading ended because of the nesting. */
  readonly deep?: number;
}

/** Reads no further than to where brackets, or the dashes of one line, are nested too deeply: the parser is slow at these. */
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

/** The first piece that is nested too deeply. The parser itself keeps no stack, but whoever comes after it does. */
function tooDeep(tokens: readonly CST.Token[]): CST.Token | undefined {
  const waiting = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (depth > DEEPEST) return token;
    const inside =
      "items" in token
        ? token.items.flatMap(({ key, value }) => [key, value])
        : [token.type === "document" ? token.value : undefined];
    for (const child of inside) if (child) waiting.push({ token: child, depth: depth + 1 });
  }
  return undefined;
}

/** Of equal keys the last one counts. */
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
    if (seen.has(key) && found.length < MOST_EQUAL_KEYS) {
      const message = `has "${String(key)}" twice; the last one counts`;
      found.push({ code: "duplicate-key", severity: "warning", message, at: locate(startOf(pair.key)) });
    }
    seen.add(key);
    equalKeys(pair.value, locate, found);
  }
  return found;
}

/** The last pair with each name, of maps that were searched: a file may hold very many. */
const indexes = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>();

function pairOf(map: YAMLMap, name: string | number): Pair | undefined {
  const index = indexes.get(map) ?? new Map(map.items.map((pair) => [nameOf(pair.key), pair]));
  indexes.set(map, index);
  return index.get(name);
}

function locateNode(
  document: YamlDocument,
  path: Path,
  locate: (offset: number) => Position,
): Position | undefined {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const step of path) {
    if (isMap(node)) {
      const pair = pairOf(node, step);
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

/** The member's name in the value: a key may also be a number or empty. A list or map as a key equals only itself. */
function nameOf(key: unknown): unknown {
  return isScalar(key) ? String(key.value ?? "") : key;
}

function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

/** An alias may stand inside what it names; such a value has no end. Aliases also repeat what they name. */
function withoutPrototype(value: unknown, values: { left: number }, depth = 0): JsonValue {
  values.left -= 1;
  if (values.left < 0) throw new Error("its aliases stand for more than 50,000 values");
  if (depth > DEEPEST) throw new Error("an alias repeats itself without end");
  if (Array.isArray(value)) return value.map((item) => withoutPrototype(item, values, depth + 1));
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || value === null) return (value ?? null) as JsonValue;
  // The library makes bytes of `!!binary` and a set of `!!set`: a config has neither, and each byte would become a member.
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
