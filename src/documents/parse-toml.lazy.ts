import { parse, TomlDate, TomlError } from "smol-toml";
import { type JsonValue, messageOf } from "../model/index.ts";
import { type Document, failedDocument, type Path } from "./document.ts";
import { locateToml } from "./locate-toml.ts";

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

function toValue(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(toValue);
  if (value instanceof TomlDate) return value.toISOString();
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object") return value as JsonValue;
  const object: Record<string, JsonValue> = Object.create(null);
  for (const [key, member] of Object.entries(value as object)) object[key] = toValue(member);
  return object;
}
