import {
  checkFormValue,
  type FormField,
  type FormValue,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  shortLine,
  shortText,
} from "../../model/index.ts";
import { jsonWeight } from "../../platform/index.ts";
import { INVALID_PARAMS, RpcRefusal } from "./rpc-refusal.ts";

const MOST_FIELDS = 100;
const MOST_OPTIONS = 500;
const LONGEST_TEXT = 4_000;
const LONGEST_TITLE = 500;
/** A longer default cannot be reviewed, and the editor that contains it is drawn again for every key. */
const LONGEST_DEFAULT = 16_000;
/** Larger forms are not usable for a person. */
const FORM_LIMITS = { depth: 16, weight: 256 * 1024 };

/** A form that a server requests. */
export interface Form {
  readonly fields: readonly FormField[];
  /** Returns the answer with defaults filled in. Throws an `RpcRefusal` if it does not match the form. */
  complete(given: JsonObject): Readonly<Record<string, FormValue>>;
}

/** Masks secrets in a text. */
export type MaskText = (text: string) => string;

/** Reads the flat schema of a form, with secrets masked. Throws an `RpcRefusal` for any other schema. */
export function readForm(schema: JsonValue | undefined, mask: MaskText = (text) => text): Form {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  if (typeof jsonWeight(schema, FORM_LIMITS) !== "number") throw unusable("it is too large");
  if (!isJsonObject(schema) || !isJsonObject(properties)) throw unusable("it has no properties");
  const entries = Object.entries(properties);
  if (entries.length > MOST_FIELDS) throw unusable(`it has more than ${MOST_FIELDS} fields`);
  const required = new Set(listOf(schema["required"]));
  const fields = entries.map(([name, property]) => readField(name, property, required.has(name), mask));
  const defaults = new Map(
    entries.map(([name, property]) => [name, isJsonObject(property) ? property["default"] : undefined]),
  );
  return { fields, complete: (given) => complete(fields, defaults, given) };
}

function readField(name: string, property: JsonValue, required: boolean, mask: MaskText): FormField {
  if (!isJsonObject(property)) throw unusable(`"${shortLine(name, 100)}" is not a schema`);
  const { title, description, format, default: fallback } = property;
  if (typeof fallback === "string" && fallback.length > LONGEST_DEFAULT)
    throw unusable(`"${shortLine(name, 100)}" has a default of more than ${LONGEST_DEFAULT} characters`);
  const options = optionsOf(property, mask);
  const kind = kindOf(name, property, options !== undefined);
  return {
    name,
    kind,
    ...(typeof title === "string" && { title: shortLine(mask(title), LONGEST_TEXT) }),
    ...(typeof description === "string" && { description: shortText(mask(description), LONGEST_TEXT) }),
    required,
    ...(fallback !== undefined && {
      default: kind === "text" && typeof fallback === "string" ? mask(fallback) : fallback,
    }),
    ...(options && { options }),
    ...(typeof format === "string" && { format: shortLine(format, LONGEST_TITLE) }),
    ...boundsOf(property),
  };
}

function boundsOf(property: JsonObject): Pick<FormField, "least" | "most"> {
  const bound = (keys: readonly string[]): number | undefined =>
    keys.map((key) => property[key]).find((value) => typeof value === "number");
  const isText = property["type"] === "string";
  const isList = property["type"] === "array";
  const least = bound([isText ? "minLength" : isList ? "minItems" : "minimum"]);
  const most = bound([isText ? "maxLength" : isList ? "maxItems" : "maximum"]);
  return { ...(least !== undefined && { least }), ...(most !== undefined && { most }) };
}

function kindOf(name: string, { type }: JsonObject, hasOptions: boolean): FormField["kind"] {
  if (type === "array" && hasOptions) return "choices";
  if (hasOptions) return "choice";
  switch (type) {
    case "string":
      return "text";
    case "number":
    case "integer":
    case "boolean":
      return type;
    default:
      throw unusable(`"${shortLine(name, 100)}" has a type that forms do not support`);
  }
}

/** Reads options from `enum`, with or without names, or from a titled `oneOf`. For several choices, both are inside `items`. */
function optionsOf(property: JsonObject, mask: MaskText): FormField["options"] {
  const { type, items, enum: values, enumNames, oneOf, anyOf } = property;
  if (type === "array") return isJsonObject(items) ? optionsOf(items, mask) : undefined;
  const titled = [oneOf, anyOf].find(Array.isArray) as readonly JsonValue[] | undefined;
  if (Array.isArray(values)) {
    const names = listOf(enumNames);
    return listOf(values)
      .slice(0, MOST_OPTIONS)
      .map((value, index) => ({ value, title: shortLine(mask(names[index] ?? value), LONGEST_TITLE) }));
  }
  return titled?.slice(0, MOST_OPTIONS).flatMap((option) => {
    if (!isJsonObject(option) || typeof option["const"] !== "string") return [];
    const { const: value, title } = option;
    return [{ value, title: shortLine(mask(typeof title === "string" ? title : value), LONGEST_TITLE) }];
  });
}

function complete(
  fields: readonly FormField[],
  defaults: ReadonlyMap<string, JsonValue | undefined>,
  given: JsonObject,
): Readonly<Record<string, FormValue>> {
  const answer: [string, FormValue][] = [];
  for (const field of fields) {
    const { name } = field;
    // The default that was shown may be masked. The server gets its original value back.
    const isDefault = !Object.hasOwn(given, name) || given[name] === field.default;
    const value = isDefault ? defaults.get(name) : given[name];
    if (value === undefined) {
      if (field.required) throw mismatch(name, "is missing");
      continue;
    }
    const wrong = checkFormValue(field, value);
    if (wrong !== undefined) throw mismatch(name, wrong);
    answer.push([name, value as FormValue]);
  }
  return Object.fromEntries(answer);
}

function listOf(value: JsonValue | undefined): string[] {
  return itemsOf(value).filter((item) => typeof item === "string");
}

function unusable(why: string): RpcRefusal {
  return new RpcRefusal(INVALID_PARAMS, `This form cannot be shown: ${why}.`);
}

function mismatch(name: string, why: string): RpcRefusal {
  return new RpcRefusal(
    INVALID_PARAMS,
    `The answer does not match the form: "${shortLine(name, 100)}" ${why}.`,
  );
}
