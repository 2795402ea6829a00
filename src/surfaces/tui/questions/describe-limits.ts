import type { FormField } from "../../../index.ts";
import { serverText } from "./server-text.ts";

const FORMATS: Readonly<Record<string, string>> = {
  email: "an email address",
  uri: "a URL",
  date: "a date, such as 2026-01-31",
  "date-time": "a date and time, such as 2026-01-31T12:00:00Z",
};
const MOST_SHOWN = 80;

/** Describes which values a field accepts, and what applies if it is skipped; `undefined` if there is nothing to say. */
export function describeLimits(field: FormField): string | undefined {
  const facts = [typeOf(field), rangeOf(field), defaultOf(field)].filter((fact) => fact !== undefined);
  const text = facts.join(" · ");
  return text === "" ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function typeOf({ kind, format }: FormField): string | undefined {
  if (kind === "integer") return "a whole number";
  if (kind === "number") return "a number";
  return kind === "text" && format !== undefined
    ? (FORMATS[format] ?? serverText(format, MOST_SHOWN))
    : undefined;
}

function rangeOf({ kind, least, most }: FormField): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  const range =
    least === undefined
      ? `at most ${most}`
      : most === undefined
        ? `at least ${least}`
        : `${least} to ${most}`;
  if (kind === "text") return `${range} ${(most ?? least) === 1 ? "character" : "characters"}`;
  return kind === "choices" ? `choose ${range}` : range;
}

function defaultOf({ kind, default: fallback, options = [] }: FormField): string | undefined {
  if (fallback === undefined || kind === "choices") return undefined;
  const title = options.find(({ value }) => value === fallback)?.title;
  const shown = title ?? (typeof fallback === "boolean" ? (fallback ? "Yes" : "No") : String(fallback));
  return `default: ${serverText(shown, MOST_SHOWN).replaceAll("\n", " ")}`;
}
