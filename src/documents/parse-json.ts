import type { Position } from "../model/index.ts";
import {
  type Document,
  type DocumentProblem,
  failedDocument,
  MAX_DUPLICATE_KEYS,
  type Path,
} from "./document.ts";
import { type JsonMember, type JsonNode, JsonSyntaxError, memberOf, parseJsonTree } from "./json-tree.ts";
import { createLocator } from "./position.ts";

/** Parses JSON with comments and trailing commas, and keeps the position of every member. Never throws. */
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
  try {
    const root = parseJsonTree(text);
    return {
      value: root.value,
      problems: duplicateNames(root, locate),
      at(path) {
        const offset = offsetOf(root, path);
        return offset === undefined ? undefined : locate(offset);
      },
      lenient: {
        ...(root.comment !== undefined && { comment: locate(root.comment) }),
        ...(root.trailingComma !== undefined && { trailingComma: locate(root.trailingComma) }),
      },
    };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { message, offset } = error;
    return failedDocument({ code: "file-syntax", severity: "error", message, at: locate(offset) });
  }
}

/** Reports duplicate names. The last one is used, which is easy to miss. */
function duplicateNames(
  node: JsonNode,
  locate: (offset: number) => Position,
  found: DocumentProblem[] = [],
): DocumentProblem[] {
  const { members, items = [] } = node;
  for (const item of items) duplicateNames(item, locate, found);
  const first = new Map<string, number>();
  for (const { name, offset, node: inner } of members ?? []) {
    duplicateNames(inner, locate, found);
    const before = first.get(name);
    if (before === undefined) first.set(name, offset);
    else if (found.length < MAX_DUPLICATE_KEYS) {
      const message = `has "${name}" twice (first on line ${locate(before).line}); the last one is used`;
      found.push({ code: "duplicate-key", severity: "warning", message, at: locate(offset) });
    }
  }
  return found;
}

function offsetOf(root: JsonNode, path: Path): number | undefined {
  let node: JsonNode | undefined = root;
  let { offset } = root;
  for (const step of path) {
    const member: JsonMember | undefined = memberOf(node, step);
    node = typeof step === "number" ? node.items?.[step] : member?.node;
    if (node === undefined) return undefined;
    offset = member?.offset ?? node.offset;
  }
  return offset;
}
