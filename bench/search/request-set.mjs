/**
 * The search requests in `requests.jsonl`, one per line: `{ text, class, acceptable, modelQueries? }`.
 *
 * `class` is the hardness for a search by words (`request-class.mjs`). `acceptable` lists every tool that would do, as `server/tool`.
 * `modelQueries` are one to three queries that a model wrote, which saw only the request and the description of the search tool.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export const CLASSES = ["words", "synonyms", "none-shared"];
const FIELDS = new Set(["text", "class", "acceptable", "modelQueries"]);
const file = new URL("requests.jsonl", import.meta.url);

/** Returns the requests. Throws with the line number if a line is not a valid request. */
export function readRequests(text = readFile()) {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      return [checked(JSON.parse(line))];
    } catch (error) {
      throw new Error(`requests.jsonl, line ${index + 1}: ${error.message}`, { cause: error });
    }
  });
}

/** Returns the half that a request belongs to. The ranking may be changed with knowledge of the open half only. */
export function halfOf({ text }) {
  return createHash("sha256").update(text).digest()[0] % 2 === 0 ? "open" : "held-back";
}

function readFile() {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return ""; // no requests have been written yet
    throw error;
  }
}

function checked(request) {
  const unknown = Object.keys(request).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) throw new Error(`unknown field "${unknown}"`);
  const { text, class: kind, acceptable, modelQueries = [] } = request;
  if (!isText(text)) throw new Error('"text" must be the request');
  if (!CLASSES.includes(kind)) throw new Error(`"class" must be one of ${CLASSES.join(", ")}`);
  if (!isTexts(acceptable) || acceptable.length === 0)
    throw new Error('"acceptable" must list at least one tool as server/tool');
  if (!isTexts(modelQueries) || modelQueries.length > 3)
    throw new Error('"modelQueries" must be at most three texts');
  return { text, class: kind, acceptable, modelQueries };
}

function isTexts(value) {
  return Array.isArray(value) && value.every(isText);
}

function isText(value) {
  return typeof value === "string" && value.trim() !== "";
}
