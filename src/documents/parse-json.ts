import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { JsonValue, Position } from "../model/index.ts";
import { type Document, type DocumentProblem, failedDocument } from "./document.ts";
import { createLocator } from "./position.ts";

/** No config needs more; whoever walks the value later must not run out of stack. */
const DEEPEST = 500;

/** Parses JSON with comments and trailing commas, keeping the place of every member. Never throws. */
export function parseJson(source: string): Document {
  const text = source.replace(/^\ufeff/, "");
  if (text.trim() === "") {
    return failedDocument({
      code: "file-empty",
      severity: "error",
      message: "is empty",
      at: { line: 1, column: 1 },
    });
  }
  const locate = createLocator(text);
  const errors: ParseError[] = [];
  let tree: Node | undefined;
  try {
    tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    return failedDocument(tooDeep); // the parser ran out of stack
  }
  const [error] = errors;
  if (error !== undefined || tree === undefined) {
    return failedDocument(syntax(describe(error, text), locate(error?.offset ?? 0)));
  }
  if (isDeeperThan(tree, DEEPEST)) return failedDocument(tooDeep);
  const problems: DocumentProblem[] = [];
  const value = toValue(tree, (key, first, second) => {
    const message = `has "${key}" twice (first on line ${locate(first).line}); the last one counts`;
    problems.push({ code: "duplicate-key", severity: "warning", message, at: locate(second) });
  });
  const root = tree;
  const index: MemberIndex = new Map();
  return {
    value,
    problems,
    at(path) {
      const offset = offsetOf(root, path, index);
      return offset === undefined ? undefined : locate(offset);
    },
  };
}

function syntax(message: string, at: Position): DocumentProblem {
  return { code: "file-syntax", severity: "error", message, at };
}

const tooDeep = syntax("is nested too deeply", { line: 1, column: 1 });

/** Members count as a level of their own, as they do in the tree. */
function isDeeperThan(node: Node, levels: number): boolean {
  return levels === 0 || (node.children ?? []).some((child) => isDeeperThan(child, levels - 1));
}

type OnDuplicate = (key: string, firstOffset: number, secondOffset: number) => void;

/** Objects have no prototype, so that a key such as `__proto__` is a key like any other. */
function toValue(node: Node, onDuplicate: OnDuplicate): JsonValue {
  if (node.type === "array") return (node.children ?? []).map((child) => toValue(child, onDuplicate));
  if (node.type !== "object") return node.value as JsonValue;
  const object: Record<string, JsonValue> = Object.create(null);
  const seen = new Map<string, number>();
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (key === undefined || value === undefined) continue;
    const name = key.value as string;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, key.offset);
    else onDuplicate(name, first, key.offset);
    object[name] = toValue(value, onDuplicate);
  }
  return object;
}

/** The members of objects that were asked for before, by name: a file may hold very many. */
type MemberIndex = Map<Node, ReadonlyMap<unknown, Node>>;

function offsetOf(root: Node, path: readonly (string | number)[], index: MemberIndex): number | undefined {
  let node: Node | undefined = root;
  let offset = root.offset;
  for (const step of path) {
    if (node === undefined) return undefined;
    if (typeof step === "number") {
      node = node.children?.[step];
      offset = node?.offset ?? offset;
    } else {
      const property: Node | undefined = membersOf(node, index).get(step);
      node = property?.children?.[1];
      offset = property?.offset ?? offset;
    }
    if (node === undefined) return undefined;
  }
  return offset;
}

/** The last of equal keys counts. */
function membersOf(node: Node, index: MemberIndex): ReadonlyMap<unknown, Node> {
  const known = index.get(node);
  if (known !== undefined) return known;
  const members = new Map(
    (node.children ?? []).map((child) => [child.children?.[0]?.value as unknown, child]),
  );
  index.set(node, members);
  return members;
}

function describe(error: ParseError | undefined, text: string): string {
  if (error === undefined) return "holds no value";
  switch (printParseErrorCode(error.error)) {
    case "CommaExpected":
      return `has ${found(text, error)} where a comma or a closing bracket belongs`;
    case "ColonExpected":
      return `has ${found(text, error)} where a colon belongs`;
    case "PropertyNameExpected":
      return `has ${found(text, error)} where a name in double quotes belongs`;
    case "ValueExpected":
      return `has ${found(text, error)} where a value belongs`;
    case "CloseBraceExpected":
      return "ends before its last } (is it half written?)";
    case "CloseBracketExpected":
      return "ends before its last ] (is it half written?)";
    case "UnexpectedEndOfString":
      return "has a string without its closing quote";
    case "UnexpectedEndOfComment":
      return "has a comment without its end";
    case "UnexpectedEndOfNumber":
      return "has a number that ends too early";
    case "InvalidEscapeCharacter":
      return "has a string with an unknown escape (a backslash is written \\\\)";
    case "InvalidUnicode":
      return "has a string with a broken \\u escape";
    case "EndOfFileExpected":
      return `goes on with ${found(text, error)} after its end`;
    default:
      return `has ${found(text, error)}, which is not JSON`;
  }
}

function found(text: string, { offset, length }: ParseError): string {
  if (offset >= text.length) return "its end";
  const piece = text.slice(offset, offset + Math.max(1, Math.min(length, 20)));
  return JSON.stringify(piece);
}
