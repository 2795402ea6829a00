import { isJsonObject, type JsonValue } from "../model/index.ts";

/** Enough to tell; a larger structure is taken to say something of its own. */
const MOST_LEAVES = 1_000;

/**
 * Servers repeat structured content as text for older clients; it need not be read twice. It is a repetition when
 * every value in it stands in the text too, be it as JSON or as the bare text of `{ "content": "…" }`.
 */
export function says(text: string, structured: JsonValue): boolean {
  let left = MOST_LEAVES;
  const stands = (value: JsonValue): boolean => {
    if (left <= 0) return false;
    if (isList(value)) return value.every(stands);
    if (isJsonObject(value)) return Object.values(value).every(stands);
    left -= 1;
    if (typeof value !== "string") return standsAlone(text, String(value));
    return text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));
  };
  return stands(structured);
}

/** `1` is not said by `10` or `0.1`. */
function standsAlone(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w.-])${word.replaceAll(/[.+]/g, "\\$&")}(?![\\w-]|\\.\\d)`).test(text);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
