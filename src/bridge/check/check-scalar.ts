import { isJsonObject, type JsonObject, type JsonValue, truncate } from "../../model/index.ts";
import type { CheckContext } from "./check-context.ts";

export function checkText(text: string, schema: JsonObject, path: string, context: CheckContext): void {
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === "number" || typeof maxLength === "number") {
    context.spend(text.length / 10);
    const length = countCharacters(text);
    if (typeof minLength === "number" && length < minLength)
      context.complain(path, `must have at least ${minLength} characters`);
    if (typeof maxLength === "number" && length > maxLength)
      context.complain(path, `must have at most ${maxLength} characters`);
  }
  if (typeof pattern === "string" && context.patterns.test(pattern, text, context.budget) === false)
    context.complain(path, `must match the pattern ${truncate(pattern, 200)}`);
}

function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0xdc00 || code > 0xdfff) count += 1; // does not count low surrogates
  }
  return count;
}

export function checkNumber(value: number, schema: JsonObject, path: string, context: CheckContext): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  // In draft 4, `exclusiveMinimum` and `exclusiveMaximum` are booleans.
  const least = typeof minimum === "number" && exclusiveMinimum !== true ? minimum : undefined;
  const most = typeof maximum === "number" && exclusiveMaximum !== true ? maximum : undefined;
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  if (least !== undefined && value < least) context.complain(path, `must be at least ${least}`);
  if (most !== undefined && value > most) context.complain(path, `must be at most ${most}`);
  if (typeof above === "number" && value <= above) context.complain(path, `must be more than ${above}`);
  if (typeof below === "number" && value >= below) context.complain(path, `must be less than ${below}`);
  if (typeof multipleOf === "number" && multipleOf > 0 && !isMultiple(value, multipleOf))
    context.complain(path, `must be a multiple of ${multipleOf}`);
}

/** Tolerates rounding errors, so that 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

export function hasType(value: JsonValue, type: string): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
    case "string":
    case "boolean":
      return typeof value === type;
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    default:
      return true;
  }
}

export function typeName(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

export function withArticle(type: string): string {
  if (type === "null") return "null";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
