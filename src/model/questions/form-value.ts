import { isList, type JsonValue } from "../json/json-value.ts";
import type { FormField } from "./server-question.ts";

/**
 * Validates a form field's value. Returns an error message, or `undefined` if the value is valid. Patterns are not
 * checked, because a server could send a regular expression that causes catastrophic backtracking.
 */
export function checkFormValue(field: FormField, value: JsonValue): string | undefined {
  const { least, most } = field;
  switch (field.kind) {
    case "text":
      if (typeof value !== "string") return "must be text";
      return checkBounds(value.length, least, most, "characters") ?? checkFormat(field, value);
    case "number":
    case "integer":
      if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
      if (field.kind === "integer" && !Number.isInteger(value)) return "must be a whole number";
      return checkBounds(value, least, most, "");
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "choice":
      return isOption(field, value) ? undefined : "must be one of the options";
    case "choices": {
      const chosen = isList(value) ? value : undefined;
      if (chosen === undefined || !chosen.every((item) => isOption(field, item)))
        return "must be a list of options";
      return checkBounds(chosen.length, least, most, "options");
    }
  }
}

function isOption({ options = [] }: FormField, value: JsonValue): boolean {
  return options.some((option) => option.value === value);
}

function checkBounds(
  size: number,
  least: number | undefined,
  most: number | undefined,
  unit: string,
): string | undefined {
  const describe = (bound: number): string => `${bound} ${unit}`.trim();
  if (least !== undefined && size < least) return `must be at least ${describe(least)}`;
  if (most !== undefined && size > most) return `must be at most ${describe(most)}`;
  return undefined;
}

interface Format {
  readonly name: string;
  matches(text: string): boolean;
}

const FORMATS: Readonly<Record<string, Format>> = {
  email: { name: "an email address", matches: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  uri: { name: "a URL", matches: (text) => URL.canParse(text) },
  date: {
    name: "a date (YYYY-MM-DD)",
    matches: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  },
  "date-time": {
    name: "a date and time (YYYY-MM-DDThh:mm:ssZ)",
    matches: (text) => /^\d{4}-\d{2}-\d{2}T/i.test(text) && !Number.isNaN(Date.parse(text)),
  },
};

function checkFormat({ format = "" }: FormField, text: string): string | undefined {
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return known === undefined || known.matches(text) ? undefined : `must be ${known.name}`;
}
