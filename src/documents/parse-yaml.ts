import {
  Composer,
  CST,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type Document as YamlDocument,
} from "yaml";
import { type JsonValue, messageOf, type Position } from "../model/index.ts";
import { type Document, type DocumentProblem, failedDocument, type Path } from "./document.ts";

/** No config needs more; whoever walks the value later must not run out of stack. */
const DEEPEST = 200;

/** Parses YAML 1.2, keeping the place of every member. Never throws. */
export function parseYaml(text: string): Document {
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
  try {
    const { tokens, deep = tooDeep(tokens)?.offset } = readTokens(text, lineCounter);
    if (deep !== undefined) return failed("is nested too deeply", deep);
    // Its own check for equal keys compares each with each.
    const composer = new Composer({ logLevel: "error", uniqueKeys: false });
    const [document, second] = composer.compose(tokens, true, text.length);
    if (document === undefined) return failed("holds no value");
    const [error] = document.errors;
    if (error !== undefined) return failed(`is not valid YAML: ${error.message}`, error.pos[0]);
    if (second !== undefined) return failed("holds more than one document", second.range[0]);
    const value = withoutPrototype(document.toJS());
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
function readTokens(text: string, { addNewLine }: LineCounter): Tokens {
  const parser = new Parser(addNewLine);
  const tokens: CST.Token[] = [];
  let previous = "";
  let brackets = 0;
  let dashes = 0;
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
function equalKeys(node: unknown, locate: (offset: number) => Position): DocumentProblem[] {
  if (isPair(node)) return equalKeys(node.value, locate);
  if (isSeq(node)) return node.items.flatMap((item) => equalKeys(item, locate));
  if (!isMap(node)) return [];
  const seen = new Set<unknown>();
  return node.items.flatMap((pair) => {
    const key = nameOf(pair.key);
    const inside = equalKeys(pair, locate);
    if (!seen.has(key)) {
      seen.add(key);
      return inside;
    }
    const at = locate(startOf(pair.key));
    const message = `has "${String(key)}" twice; the last one counts`;
    return [{ code: "duplicate-key", severity: "warning", message, at }, ...inside];
  });
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
      const pair = node.items.findLast(({ key }) => nameOf(key) === step);
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

/** An alias may stand inside what it names; such a value has no end. */
function withoutPrototype(value: unknown, depth = 0): JsonValue {
  if (depth > DEEPEST) throw new Error("an alias repeats itself without end");
  if (Array.isArray(value)) return value.map((item) => withoutPrototype(item, depth + 1));
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || value === null) return (value ?? null) as JsonValue;
  const object: Record<string, JsonValue> = Object.create(null);
  for (const [key, member] of Object.entries(value)) object[key] = withoutPrototype(member, depth + 1);
  return object;
}
