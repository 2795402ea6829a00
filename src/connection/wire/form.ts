import {
  type FormField,
  type FormValue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  safeLine,
  safeText,
  truncate,
} from "../../model/index.ts";
import { INVALID_PARAMS, RpcRefusal } from "./rpc-refusal.ts";

const MOST_FIELDS = 100;
const MOST_OPTIONS = 500;
const LONGEST_TEXT = 4_000;

/** A form as a server asks for it: its fields, and what an answer has to be like. */
export interface Form {
  readonly fields: readonly FormField[];
  /** The answer with its defaults in place. Throws an `RpcRefusal` when it does not fit. */
  complete(given: JsonObject): Readonly<Record<string, FormValue>>;
}

/** Reads the flat schemas that servers may ask with. Throws an `RpcRefusal` for any other. */
export function readForm(schema: JsonValue | undefined): Form {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  if (!isJsonObject(schema) || !isJsonObject(properties)) throw unusable("it has no properties");
  const entries = Object.entries(properties);
  if (entries.length > MOST_FIELDS) throw unusable(`it has more than ${MOST_FIELDS} fields`);
  const required = new Set(listOf(schema["required"]));
  const fields = entries.map(([name, property]) => readField(name, property, required.has(name)));
  const rules = new Map(entries);
  return { fields, complete: (given) => complete(fields, rules, given) };
}

function readField(name: string, property: JsonValue, required: boolean): FormField {
  if (!isJsonObject(property)) throw unusable(`"${safeLine(name)}" is no schema`);
  const { title, description, format, default: fallback } = property;
  const options = optionsOf(property);
  return {
    name,
    kind: kindOf(name, property, options !== undefined),
    ...(typeof title === "string" && { title: truncate(safeLine(title), LONGEST_TEXT) }),
    ...(typeof description === "string" && { description: truncate(safeText(description), LONGEST_TEXT) }),
    required,
    ...(fallback !== undefined && { default: fallback }),
    ...(options && { options }),
    ...(typeof format === "string" && { format }),
  };
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
      throw unusable(`"${safeLine(name)}" is of a type that forms do not have`);
  }
}

/** `enum`, with names beside it or without, and titled `oneOf`; for several at once the same inside `items`. */
function optionsOf(property: JsonObject): FormField["options"] {
  const { type, items, enum: values, enumNames, oneOf, anyOf } = property;
  if (type === "array") return isJsonObject(items) ? optionsOf(items) : undefined;
  const titled = [oneOf, anyOf].find(Array.isArray) as readonly JsonValue[] | undefined;
  if (Array.isArray(values)) {
    const names = listOf(enumNames);
    return listOf(values)
      .slice(0, MOST_OPTIONS)
      .map((value, index) => ({ value, title: safeLine(names[index] ?? value) }));
  }
  return titled?.slice(0, MOST_OPTIONS).flatMap((option) => {
    if (!isJsonObject(option) || typeof option["const"] !== "string") return [];
    const { const: value, title } = option;
    return [{ value, title: safeLine(typeof title === "string" ? title : value) }];
  });
}

function complete(
  fields: readonly FormField[],
  rules: ReadonlyMap<string, JsonValue>,
  given: JsonObject,
): Readonly<Record<string, FormValue>> {
  const answer: [string, FormValue][] = [];
  for (const field of fields) {
    const { name } = field;
    const value = Object.hasOwn(given, name) ? given[name] : field.default;
    if (value === undefined) {
      if (field.required) throw unfit(name, "is missing");
      continue;
    }
    const rule = rules.get(name);
    const wrong = complaint(field, isJsonObject(rule) ? rule : {}, value);
    if (wrong !== undefined) throw unfit(name, wrong);
    answer.push([name, value as FormValue]);
  }
  return Object.fromEntries(answer);
}

/** What is wrong with a value. Patterns are the server's to check: they can be made to run for ever. */
function complaint(field: FormField, rule: JsonObject, value: JsonValue): string | undefined {
  switch (field.kind) {
    case "text":
      if (typeof value !== "string") return "must be text";
      return (
        outside(value.length, rule["minLength"], rule["maxLength"], "characters") ?? misformed(field, value)
      );
    case "number":
    case "integer":
      if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
      if (field.kind === "integer" && !Number.isInteger(value)) return "must be a whole number";
      return outside(value, rule["minimum"], rule["maximum"], "");
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "choice":
      return isOption(field, value) ? undefined : "must be one of its options";
    case "choices": {
      const chosen = Array.isArray(value) ? (value as readonly JsonValue[]) : undefined;
      if (chosen === undefined || !chosen.every((item) => isOption(field, item)))
        return "must be a list of its options";
      return outside(chosen.length, rule["minItems"], rule["maxItems"], "options");
    }
  }
}

function isOption({ options = [] }: FormField, value: JsonValue): boolean {
  return options.some((option) => option.value === value);
}

function outside(
  size: number,
  least: JsonValue | undefined,
  most: JsonValue | undefined,
  unit: string,
): string | undefined {
  const said = (bound: number): string => `${bound} ${unit}`.trim();
  if (typeof least === "number" && size < least) return `must be at least ${said(least)}`;
  if (typeof most === "number" && size > most) return `must be at most ${said(most)}`;
  return undefined;
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  "date-time": (text) => /^\d{4}-\d{2}-\d{2}T/i.test(text) && !Number.isNaN(Date.parse(text)),
};

function misformed({ format = "" }: FormField, text: string): string | undefined {
  const fits = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return fits === undefined || fits(text) ? undefined : `must be of the format ${format}`;
}

function listOf(value: JsonValue | undefined): string[] {
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  return list.filter((item): item is string => typeof item === "string");
}

function unusable(why: string): RpcRefusal {
  return new RpcRefusal(INVALID_PARAMS, `This form cannot be shown: ${why}.`);
}

function unfit(name: string, why: string): RpcRefusal {
  return new RpcRefusal(INVALID_PARAMS, `The answer does not fit the form: "${safeLine(name)}" ${why}.`);
}
