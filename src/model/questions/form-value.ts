import { isList, type JsonValue } from "../json/json-value.ts";
import type { FormField } from "./server-question.ts";

/** What is wrong with a value for a field of a form, if anything. Patterns are the server's to check: they can be made to run for ever. */
export function checkFormValue(field: FormField, value: JsonValue): string | undefined {
  const { least, most } = field;
  switch (field.kind) {
    case "text":
      if (typeof value !== "string") return "must be text";
      return outside(value.length, least, most, "characters") ?? misformed(field, value);
    case "number":
    case "integer":
      if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
      if (field.kind === "integer" && !Number.isInteger(value)) return "must be a whole number";
      return outside(value, least, most, "");
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "choice":
      return isOption(field, value) ? undefined : "must be one of its options";
    case "choices": {
      const chosen = isList(value) ? value : undefined;
      if (chosen === undefined || !chosen.every((item) => isOption(field, item)))
        return "must be a list of its options";
      return outside(chosen.length, least, most, "options");
    }
  }
}

function isOption({ options = [] }: FormField, value: JsonValue): boolean {
  return options.some((option) => option.value === value);
}

function outside(
  size: number,
  least: number | undefined,
  most: number | undefined,
  unit: string,
): string | undefined {
  const said = (bound: number): string => `${bound} ${unit}`.trim();
  if (least !== undefined && size < least) return `must be at least ${said(least)}`;
  if (most !== undefined && size > most) return `must be at most ${said(most)}`;
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
