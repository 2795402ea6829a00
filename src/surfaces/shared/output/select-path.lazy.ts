import type { JsonValue } from "../../../index.ts";
import { safeJson, safeLine, safeText, truncate } from "../../../terminal.ts";
import { isObject } from "../json-object.ts";
import { usageError } from "../usage-error.ts";

type Step = { readonly key: string } | { readonly index: number } | "each";

export interface SelectionOutput {
  readonly isTerminal: boolean;
  onMissing(sentence: string): void;
}

/**
 * Returns a function that renders the values at a path such as `.servers[].name`, one per line. Strings have no quotes. Calls `onMissing`
 * with a sentence if no value has a member that the path names. A terminal gets escaped text; other output gets the exact text.
 */
export function createSelection(
  path: string,
  { isTerminal, onMissing }: SelectionOutput,
): (document: unknown) => string {
  const steps = parsePath(path);
  return (document) => {
    // Through JSON, because a document may contain `undefined` and other values that its output does not have.
    const root = JSON.parse(JSON.stringify(document)) as JsonValue;
    const found = steps.reduce<JsonValue[]>(
      (values, step) => {
        const next = values.flatMap((value) => follow(value, step));
        if (next.length === 0 && values.length > 0 && step !== "each")
          onMissing(describeMissing(step, values));
        return next;
      },
      [root],
    );
    return found.map((value) => `${isTerminal ? shownValue(value) : exactValue(value)}\n`).join("");
  };
}

function exactValue(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shownValue(value: JsonValue): string {
  return typeof value === "string" ? safeText(value) : safeJson(JSON.stringify(value));
}

const STEP = /\.?([\w$-]+)|\.?\["((?:[^"\\]|\\.)*)"\]|\.?\[(-?\d+)\]|\.?(\[\])/y;

/** Parses `name`, `.name`, `["any name"]`, `[0]`, `[-1]` and `[]`. A single dot is the whole document. */
function parsePath(path: string): Step[] {
  const steps: Step[] = [];
  if (path === ".") return steps;
  for (let at = 0; at < path.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const match = STEP.exec(path);
    if (match === null)
      throw usageError(
        `Invalid --select path at "${path.slice(at)}".`,
        "For example: --select '.servers[].name'",
      );
    const [, name, quoted, index] = match;
    if (name !== undefined) steps.push({ key: name });
    else if (quoted !== undefined) steps.push({ key: JSON.parse(`"${quoted}"`) as string });
    else if (index !== undefined) steps.push({ index: Number(index) });
    else steps.push("each");
  }
  return steps;
}

/** Returns the values of a step. A value that does not have it gives none. */
function follow(value: JsonValue, step: Step): JsonValue[] {
  if (typeof value !== "object" || value === null) return [];
  if (step === "each") return Object.values(value);
  if ("index" in step) {
    const item = Array.isArray(value) ? (value.at(step.index) as JsonValue | undefined) : undefined;
    return item === undefined ? [] : [item];
  }
  // `servers.0.name` works too.
  const member = Object.entries(value).find(([key]) => key === step.key)?.[1];
  return member === undefined ? [] : [member];
}

const MOST_NAMES = 12;

function describeMissing(step: Exclude<Step, "each">, values: readonly JsonValue[]): string {
  const what = "key" in step ? `"${safeLine(step.key)}"` : `item ${step.index}`;
  const names = new Set(values.flatMap((value) => (isObject(value) ? Object.keys(value) : [])));
  const shown = [...names].slice(0, MOST_NAMES).map((name) => truncate(safeLine(name), 40));
  const rest = names.size > shown.length ? " …" : "";
  const found = values.some((value) => Array.isArray(value)) ? "a list; [] selects every item" : "no members";
  return `--select found no ${what}. There is: ${shown.length === 0 ? found : `${shown.join(", ")}${rest}`}.`;
}
