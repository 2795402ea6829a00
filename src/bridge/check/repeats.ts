import { canonicalJson, isHuge, type JsonValue } from "../../model/index.ts";
import { shortJson } from "./short-json.ts";

/** About a tenth of a second, in characters that are compared; a structure beyond that is taken to say something of its own. */
const MOST_STEPS = 100_000_000;
/** Text is looked for by its beginning: to look for a long one as a whole takes its length times that of the text. */
const BEGINNING = 16;
const MOST_PLACES = 50;
/** What looking at a value costs beside the text, and at each character of the text for a number. */
const STEPS_OF_A_VALUE = 1_000;
const STEPS_OF_A_NUMBER = 4;
/** All texts together that are compared as JSON. */
const MOST_JSON = 500_000;

/**
 * Servers repeat structured content as text for older clients; it need not be read twice. It is a repetition when it is
 * one of the texts, or when every value in it stands in one of them, as in the bare text of `{ "content": "…" }`.
 */
export function repeats(texts: readonly string[], structured: JsonValue): boolean {
  const budget = { steps: MOST_STEPS };
  let json: string | undefined;
  let room = MOST_JSON;
  const isJson = (text: string): boolean => {
    if (text.length > room || json === "") return false;
    const value = jsonIn(text);
    if (value === undefined) return false;
    room -= text.length;
    json ??= shortJson(structured, MOST_JSON) ?? ""; // once for all texts
    return canonicalJson(value) === json;
  };
  return texts.some((text) => isJson(text) || stands(structured, text, budget));
}

function jsonIn(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function stands(value: JsonValue, text: string, budget: { steps: number }): boolean {
  if (budget.steps < 0) return false;
  budget.steps -= STEPS_OF_A_VALUE;
  if (typeof value === "string")
    return contains(text, value, budget) || contains(text, JSON.stringify(value).slice(1, -1), budget);
  if (typeof value === "object" && value !== null) {
    if (isHuge(value)) return false;
    const members = isList(value) ? value : Object.values(value);
    budget.steps -= members.length * STEPS_OF_A_VALUE;
    return members.every((member) => stands(member, text, budget));
  }
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
