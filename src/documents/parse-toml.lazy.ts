import { parse, TomlDate, TomlError } from "smol-toml";
import { type JsonValue, messageOf, type Position } from "../model/index.ts";
import { type Document, failedDocument, type Path } from "./document.ts";
import { locateToml } from "./locate-toml.ts";
import { createLocator } from "./position.ts";
import { scanToml } from "./scan-toml.ts";

/** Values that are nested more deeply are refused, as in JSON and YAML, because code that reads them could overflow the stack. */
const DEEPEST = 200;

class TooDeepError extends Error {}

/** Parses TOML and keeps the position of every table and key. Never throws. */
export function parseToml(text: string): Document {
  if (text.trim() === "") {
    return failedDocument({
      code: "file-empty",
      severity: "error",
      message: "is empty",
      at: { line: 1, column: 1 },
    });
  }
  try {
    const value = toValue(parse(text, { integersAsBigInt: "asNeeded" }));
    let places: ReturnType<typeof locateToml> | undefined;
    return {
      value,
      problems: [],
      at(path: Path) {
        places ??= locateToml(text);
        return places(path);
      },
    };
  } catch (error) {
    if (error instanceof TooDeepError)
      return failedDocument({
        code: "file-syntax",
        severity: "error",
        message: "is nested too deeply",
        at: positionOfNesting(text),
      });
    const at =
      error instanceof TomlError ? { line: error.line, column: error.column } : { line: 1, column: 1 };
    return failedDocument({
      code: "file-syntax",
      severity: "error",
      message: `is not valid TOML: ${firstSentence(messageOf(error))}`,
      at,
    });
  }
}

/** Removes the excerpt of the text from the parser's message. */
function firstSentence(message: string): string {
  return message.replace(/\n[^]*/, "").replace(/^Invalid TOML document: /, "");
}

/** Returns the position of the first key or table that is nested too deeply, or the beginning if brackets are. */
function positionOfNesting(text: string): Position {
  const deep = scanToml(text)?.find(({ table, key }) => table.length + key.length > DEEPEST);
  return createLocator(text)(deep?.start ?? 0);
}

function toValue(value: unknown, depth = 0): JsonValue {
  if (depth > DEEPEST) throw new TooDeepError();
  if (Array.isArray(value)) return value.map((item) => toValue(item, depth + 1));
  if (value instanceof TomlDate) return value.toISOString();
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object") return value as JsonValue;
  const object: Record<string, JsonValue> = Object.create(null);
  for (const [key, member] of Object.entries(value as object)) object[key] = toValue(member, depth + 1);
  return object;
}
