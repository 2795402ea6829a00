import {
  canonicalJson,
  isJsonObject,
  isList,
  itemsOf,
  type JsonObject,
  type JsonValue,
  memoize,
  truncate,
} from "../../model/index.ts";
import { localTarget } from "../schema/schema-reference.ts";
import type { CheckContext } from "./check-context.ts";
import { checkList, checkMembers } from "./check-members.ts";
import { checkNumber, checkText, hasType, typeName, withArticle } from "./check-scalar.ts";
import { NO_PATTERNS } from "./patterns.ts";
import { shortJson } from "./short-json.ts";

const DEEPEST = 64;
const MOST_COMPLAINTS = 10;
const MOST_OPTIONS = 20;
const LONGEST_PATH = 200;
/** Longer than any allowed schema, and therefore than any choice. */
const LONGEST_CHOICE = 300_000;
/** About a quarter of a second on a slow machine. */
const MOST_STEPS = 1_000_000;
/** The cost of trying an alternative, in addition to its checks. */
const STEPS_OF_A_TRY = 20;

/** Thrown when the budget is used up. Problems found so far are reported; the server checks the rest. */
class BudgetExceeded extends Error {}

/**
 * Checks a value against a JSON schema and returns the problems as readable text. Every step is counted against a budget, so that no
 * schema and no value can block the process. Ignores unknown keywords and references to other documents; the server checks those.
 */
export function checkValue(
  value: JsonValue,
  schema: JsonObject,
  {
    patterns = NO_PATTERNS,
    unknown = "an argument of this tool",
    whole = "the arguments",
  }: Partial<Pick<CheckContext, "patterns" | "unknown" | "whole">> = {},
): string[] {
  const budget = { steps: MOST_STEPS };
  const targets = new Map<JsonValue, JsonValue | undefined>();
  let complaints: string[] = [];
  let depth = 0;
  const context: CheckContext = {
    patterns,
    budget,
    unknown,
    whole,
    spend(steps) {
      budget.steps -= steps;
      if (budget.steps < 0) throw new BudgetExceeded();
    },
    complain(path, what) {
      if (complaints.length < MOST_COMPLAINTS)
        complaints.push(`${path === "" ? whole : `"${truncate(path, LONGEST_PATH)}"`} ${what}`);
    },
    check(part, partSchema, path) {
      if (complaints.length >= MOST_COMPLAINTS) return;
      if (partSchema === false) context.complain(path, "is not allowed");
      if (!isJsonObject(partSchema)) return;
      if (depth >= DEEPEST) throw new BudgetExceeded();
      depth += 1;
      checkPart(part, partSchema, path, schema, context);
      depth -= 1;
    },
    fits: (part, partSchema) => complaintsOf(part, partSchema, "").length === 0,
  };
  const complaintsOf = (part: JsonValue, partSchema: JsonValue | undefined, path: string): string[] => {
    context.spend(STEPS_OF_A_TRY);
    const [outer, outerDepth] = [complaints, depth];
    complaints = [];
    try {
      context.check(part, partSchema, path);
      return complaints;
    } finally {
      complaints = outer;
      depth = outerDepth;
    }
  };
  const targetOf = (root: JsonObject, reference: JsonValue): JsonValue | undefined => {
    if (!targets.has(reference)) targets.set(reference, localTarget(root, reference));
    return targets.get(reference);
  };
  const checkPart = (
    part: JsonValue,
    partSchema: JsonObject,
    path: string,
    root: JsonObject,
    { check, complain, spend, fits }: CheckContext,
  ): void => {
    spend(1);
    if (partSchema["nullable"] === true && part === null) return;
    if (partSchema["$ref"] !== undefined) check(part, targetOf(root, partSchema["$ref"]), path);
    const types = textsIn(partSchema["type"]);
    spend(types.length);
    if (types.length > 0 && !types.some((type) => hasType(part, type))) {
      complain(path, `must be ${types.map(withArticle).join(" or ")}, not ${withArticle(typeName(part))}`);
      return;
    }
    checkChoice(part, partSchema, path, context);
    if (typeof part === "string") checkText(part, partSchema, path, context);
    else if (typeof part === "number") checkNumber(part, partSchema, path, context);
    else if (isJsonObject(part)) checkMembers(part, partSchema, path, context);
    else if (isList(part)) checkList(part, partSchema, path, context);
    for (const each of itemsOf(partSchema["allOf"])) check(part, each, path);
    checkForms(partSchema, part, path);
    if (partSchema["not"] !== undefined && fits(part, partSchema["not"]))
      complain(path, "is not allowed here");
    if (partSchema["if"] !== undefined)
      check(part, partSchema[fits(part, partSchema["if"]) ? "then" : "else"], path);
  };
  const checkForms = (partSchema: JsonObject, part: JsonValue, path: string): void => {
    for (const key of ["anyOf", "oneOf"]) {
      const forms = itemsOf(partSchema[key]);
      if (forms.length === 0) continue;
      const found = forms.map((form) => complaintsOf(part, form, path));
      const fitting = found.filter((wrong) => wrong.length === 0).length;
      if (fitting === 0) {
        const reasons = found.slice(0, 3).map(([first = ""]) => truncate(first, 200));
        context.complain(
          path,
          `matches none of the ${forms.length} allowed forms: ${[...new Set(reasons)].join(", or ")}`,
        );
      } else if (key === "oneOf" && fitting > 1)
        context.complain(path, "matches more than one of the allowed forms");
    }
  };
  try {
    context.check(value, schema, "");
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
  }
  return complaints;
}

function checkChoice(
  value: JsonValue,
  schema: JsonObject,
  path: string,
  { complain, spend }: CheckContext,
): void {
  const options = optionsOf(schema);
  if (options === undefined) return;
  spend(options.length);
  if (isJsonObject(value) || Array.isArray(value)) {
    const text = shortJson(value, LONGEST_CHOICE);
    spend((text?.length ?? LONGEST_CHOICE) / 10);
    if (text !== undefined && choiceOf(schema).objects.has(text)) return;
  } else if (options.includes(value)) return;
  complain(path, choiceOf(schema).words);
}

interface Choice {
  /** The allowed objects and lists, as canonical JSON. */
  readonly objects: ReadonlySet<string>;
  readonly words: string;
}

/** Returns the values that `const` or `enum` allows; `undefined` if the schema has neither. */
function optionsOf({ const: only, enum: options }: JsonObject): readonly JsonValue[] | undefined {
  if (only !== undefined) return [only];
  return isList(options) ? options : undefined;
}

const choiceOf = memoize((schema: JsonObject): Choice => {
  const options = optionsOf(schema) ?? [];
  const objects = new Set(options.filter((option) => typeof option === "object").map(canonicalJson));
  const shown = options.slice(0, MOST_OPTIONS).map((option) => truncate(JSON.stringify(option), 100));
  const rest = options.length > shown.length ? `, or ${options.length - shown.length} others` : "";
  return { objects, words: `must be ${shown.length === 1 ? "" : "one of "}${shown.join(", ")}${rest}` };
});

function textsIn(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [value];
  return itemsOf(value).filter((item): item is string => typeof item === "string");
}
