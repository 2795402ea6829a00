import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Document as YamlDocument,
} from "yaml";
import { type JsonValue, messageOf, type Position } from "../model/index.ts";
import { type Document, type DocumentProblem, failedDocument, type Path } from "./document.ts";

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
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: "error" });
    const problems = document.errors.map(({ code, message, pos }): DocumentProblem => {
      const duplicate = code === "DUPLICATE_KEY";
      return {
        code: duplicate ? "duplicate-key" : "file-syntax",
        severity: duplicate ? "warning" : "error",
        message: duplicate ? "has a key twice; the last one counts" : `is not valid YAML: ${message}`,
        at: locate(pos[0]),
      };
    });
    const fatal = problems.find(({ severity }) => severity === "error");
    if (fatal !== undefined) return failedDocument(fatal);
    const value = withoutPrototype(document.toJS({ maxAliasCount: 100 }));
    return { value, problems, at: (path) => locateNode(document, path, locate) };
  } catch (error) {
    const message = `is not valid YAML: ${messageOf(error)}`;
    return failedDocument({ code: "file-syntax", severity: "error", message, at: { line: 1, column: 1 } });
  }
}

function locateNode(
  document: YamlDocument,
  path: Path,
  locate: (offset: number) => Position,
): Position | undefined {
  let node: unknown = document.contents;
  let offset = (document.contents as Node | null)?.range?.[0] ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? key.value : key) === step);
      if (pair === undefined) return undefined;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof step === "number") {
      node = node.items[step];
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    } else return undefined;
  }
  return locate(offset);
}

function withoutPrototype(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(withoutPrototype);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return (value ?? null) as JsonValue;
  const object: Record<string, JsonValue> = Object.create(null);
  for (const [key, member] of Object.entries(value)) object[key] = withoutPrototype(member);
  return object;
}
