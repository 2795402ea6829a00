import type { ExpansionRules, JsonValue } from "../model/index.ts";
import { isJsonObject } from "../model/index.ts";
import { placeholdersIn } from "./expand.ts";

/** Writes another tool's placeholders the native way: `${env:X}`, `{env:X}` and `$X` become `${X}`. Others stay. */
export function toNativePlaceholders(value: JsonValue, rules: ExpansionRules): JsonValue {
  if (typeof value === "string") return translate(value, rules);
  if (isList(value)) return value.map((item) => toNativePlaceholders(item, rules));
  if (!isJsonObject(value)) return value;
  const object: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) object[key] = toNativePlaceholders(member, rules);
  return object;
}

function translate(text: string, rules: ExpansionRules): string {
  let result = "";
  let end = 0;
  for (const { whole, index, variable } of placeholdersIn(text, rules)) {
    result += text.slice(end, index) + (variable === undefined ? whole : `\${${variable}}`);
    end = index + whole.length;
  }
  return result + text.slice(end);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
