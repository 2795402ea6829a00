import { canonicalJson, isHuge, isList, type JsonValue } from "../../model/index.ts";
import { shortJson } from "./short-json.ts";

/** The budget in compared characters, about a tenth of a second. Content beyond it does not count as a repetition. */
const MOST_STEPS = 100_000_000;
/** Texts are searched by their beginning, because searching for a long text can take quadratic time. */
const BEGINNING = 16;
const MOST_PLACES = 50;
/** The cost of each value, and of each character of the text when searching for a number. */
const STEPS_OF_A_VALUE = 1_000;
const STEPS_OF_A_NUMBER = 4;
/** The cost of each character that JSON must escape. */
const STEPS_OF_AN_ESCAPE = 70;
/** The most characters of all texts that are compared as JSON. */
const MOST_JSON = 500_000;

/**
 * Returns whether the texts already contain the structured content, because servers repeat it as text for older clients. That is the
 * case if one text is its JSON, or if one text contains every value in it, as with `{ "content": "…" }`.
 */
export function containsStructured(texts: readonly string[], structured: JsonValue): boolean {
  const budget = { steps: MOST_STEPS };
  let json: string | undefined;
  let room = MOST_JSON;
  const isJson = (text: string): boolean => {
    if (text.length > room || json === "") return false;
    const value = jsonIn(text);
    if (value === undefined) return false;
    room -= text.length;
    json ??= shortJson(structured, MOST_JSON) ?? ""; // computed once for all texts
    return canonicalJson(value) === json;
  };
  return texts.some((text) => isJson(text) || isContained(structured, text, budget));
}

function jsonIn(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function isContained(value: JsonValue, text: string, budget: { steps: number }): boolean {
  if (budget.steps < 0) return false;
  budget.steps -= STEPS_OF_A_VALUE;
  if (typeof value === "string") return containsText(text, value, budget);
  if (typeof value === "object" && value !== null) {
    if (isHuge(value)) return false;
    const members = isList(value) ? value : Object.values(value);
    budget.steps -= members.length * STEPS_OF_A_VALUE;
    return members.every((member) => isContained(member, text, budget));
  }
  budget.steps -= text.length * STEPS_OF_A_NUMBER;
  return budget.steps >= 0 && containsWord(text, String(value));
}

/** Returns whether a text contains another one, as it is or as JSON writes it. */
function containsText(text: string, part: string, budget: { steps: number }): boolean {
  if (part.length > text.length) return false;
  if (contains(text, part, budget)) return true;
  budget.steps -= part.length * STEPS_OF_AN_ESCAPE;
  return budget.steps >= 0 && contains(text, JSON.stringify(part).slice(1, -1), budget);
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

/** `10` and `0.1` do not contain `1` as a word. */
function containsWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w.-])${word.replaceAll(/[.+]/g, "\\$&")}(?![\\w-]|\\.\\d)`).test(text);
}
