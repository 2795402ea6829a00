import {
  isJsonObject,
  isList,
  itemsOf,
  type JsonObject,
  type JsonValue,
  nearest,
  someNames,
} from "../../model/index.ts";
import type { CheckContext } from "./check-context.ts";
import { shortJson } from "./short-json.ts";

/** The cost of an entry of an object, in steps. */
const STEPS_OF_A_PAIR = 4;
/** The cost of comparing an item with all others, in steps. */
const STEPS_OF_AN_ITEM = 20;

/** Checks an object's members. */
export function checkMembers(
  value: JsonObject,
  schema: JsonObject,
  path: string,
  context: CheckContext,
): void {
  const { check, complain, spend } = context;
  const names = Object.keys(value);
  spend(names.length);
  checkPresence(value, names, schema, path, context);
  const properties = mapIn(schema["properties"]);
  const patterned = names.length === 0 ? [] : Object.entries(mapIn(schema["patternProperties"]));
  spend(patterned.length * (1 + names.length));
  const rest = schema["additionalProperties"];
  for (const name of names) {
    const at = join(path, name);
    const item = value[name] ?? null;
    let isKnown = Object.hasOwn(properties, name);
    if (isKnown) check(item, properties[name], at);
    for (const [pattern, partSchema] of patterned) {
      const fits = context.patterns.test(pattern, name, context.budget);
      if (fits !== false) isKnown = true; // if the pattern cannot be tested, the server checks it
      if (fits === true) check(item, partSchema, at);
    }
    if (isKnown) continue;
    if (rest === false) complain(at, `is not ${context.unknown}${suggest(name, properties, context)}`);
    else check(item, rest, at);
  }
  const rule = schema["propertyNames"];
  if (rule !== undefined) {
    for (const name of names)
      if (!context.fits(name, rule)) complain(join(path, name), "is not an allowed name");
  }
}

function checkPresence(
  value: JsonObject,
  names: readonly string[],
  schema: JsonObject,
  path: string,
  { complain, check, spend }: CheckContext,
): void {
  const required = textsIn(schema["required"]);
  spend(required.length);
  for (const name of required) if (!Object.hasOwn(value, name)) complain(join(path, name), "is required");
  const { minProperties, maxProperties } = schema;
  if (typeof minProperties === "number" && names.length < minProperties)
    complain(path, `must have at least ${minProperties} members`);
  if (typeof maxProperties === "number" && names.length > maxProperties)
    complain(path, `must have at most ${maxProperties} members`);
  for (const [name, others] of entriesOf(schema["dependentRequired"], spend)) {
    if (!Object.hasOwn(value, name)) continue;
    const needed = textsIn(others);
    spend(needed.length);
    for (const other of needed)
      if (!Object.hasOwn(value, other)) complain(join(path, other), `is required with "${name}"`);
  }
  for (const [name, others] of entriesOf(schema["dependentSchemas"], spend))
    if (Object.hasOwn(value, name)) check(value, others, path);
}

/** Checks a list's items. */
export function checkList(
  list: readonly JsonValue[],
  schema: JsonObject,
  path: string,
  context: CheckContext,
): void {
  const { check, complain, spend, fits, budget } = context;
  const { minItems, maxItems, items, contains } = schema;
  spend(list.length);
  if (typeof minItems === "number" && list.length < minItems)
    complain(path, `must have at least ${minItems} items`);
  if (typeof maxItems === "number" && list.length > maxItems)
    complain(path, `must have at most ${maxItems} items`);
  const first = isList(items) ? items : itemsOf(schema["prefixItems"]);
  const others = isList(items) ? schema["additionalItems"] : items;
  for (const [index, item] of list.entries())
    check(item, index < first.length ? first[index] : others, `${path}[${index}]`);
  if (schema["uniqueItems"] === true) {
    const texts = list.map((item) => {
      const text = shortJson(item, budget.steps * 2);
      spend(STEPS_OF_AN_ITEM + (text?.length ?? Number.POSITIVE_INFINITY) / 10);
      return text;
    });
    if (new Set(texts).size < texts.length) complain(path, "must not contain duplicate items");
  }
  if (contains !== undefined) {
    const least = typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
    const count = list.filter((item) => fits(item, contains)).length;
    if (count < least) complain(path, `must contain at least ${least} matching items`);
  }
}

/** Returns ` (did you mean "x"?)` or the known names. Skips the search for a similar name if it would take too long. */
function suggest(name: string, properties: JsonObject, { budget, spend }: CheckContext): string {
  const candidates = Object.keys(properties);
  spend(candidates.length);
  const steps = 4 * candidates.length * name.length;
  const canSuggest = name.length <= 200 && steps <= budget.steps / 4;
  if (canSuggest) spend(steps);
  const close = canSuggest ? nearest(name, candidates) : undefined;
  if (close !== undefined) return ` (did you mean "${close}"?)`;
  return candidates.length === 0 ? " (it takes none)" : ` (it takes ${someNames(candidates)})`;
}

function entriesOf(value: JsonValue | undefined, spend: CheckContext["spend"]): [string, JsonValue][] {
  const entries = Object.entries(mapIn(value));
  spend(entries.length * STEPS_OF_A_PAIR);
  return entries;
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function mapIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textsIn(value: JsonValue | undefined): string[] {
  return itemsOf(value).filter((item): item is string => typeof item === "string");
}
