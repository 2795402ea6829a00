import { canonicalJson, isJsonObject, type JsonValue } from "../model/index.ts";

/** About a tenth of a second, in characters that are compared; a structure beyond that is taken to say something of its own. */
const MOST_STEPS = 100_000_000;
/** Text is looked for by its beginning: to look for a long one as a whole takes its length times that of the text. */
const BEGINNING = 16;
const MOST_PLACES = 50;
const STEPS_OF_A_NUMBER = 4;
const LONGEST_JSON = 1_000_000;

/**
 * Servers repeat structured content as text for older clients; it need not be read twice. It is a repetition when it is
 * one of the texts, or when every value in it stands in one of them, as in the bare text of `{ "content": "…" }`.
 */
export function says(texts: readonly string[], structured: JsonValue): boolean {
  const budget = { steps: MOST_STEPS };
  return texts.some((text) => isJsonOf(text, structured) || stands(structured, text, budget));
}

function isJsonOf(text: string, structured: JsonValue): boolean {
  if (text.length > LONGEST_JSON || !/^\s*[[{]/.test(text)) return false;
  try {
    return canonicalJson(JSON.parse(text) as JsonValue) === canonicalJson(structured);
  } catch {
    return false;
  }
}

function stands(value: JsonValue, text: string, budget: { steps: number }): boolean {
  if (isList(value)) return value.every((item) => stands(item, text, budget));
  if (isJsonObject(value)) return Object.values(value).every((member) => stands(member, text, budget));
  if (typeof value === "string")
    return contains(text, value, budget) || contains(text, JSON.stringify(value).slice(1, -1), budget);
  budget.steps -= text.length * STEPS_OF_A_NUMBER;
  return budget.steps >= 0 && standsAlone(text, String(value));
}

function contains(text: string, part: string, budget: { steps: number }): boolean {
  const beginning = part.slice(0, BEGINNING);
  budget.steps -= text.length * (1 + beginning.length) + part.length * MOST_PLACES;
  if (budget.steps < 0) return false;
  let at = text.indexOf(beginning);
  for (let places = 0; at !== -1 && places < MOST_PLACES; places += 1) {
    if (text.startsWith(part, at)) return true;
    at = text.indexOf(beginning, at + 1);
  }
  return false;
}

/** `1` is not said by `10` or `0.1`. */
function standsAlone(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w.-])${word.replaceAll(/[.+]/g, "\\$&")}(?![\\w-]|\\.\\d)`).test(text);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
