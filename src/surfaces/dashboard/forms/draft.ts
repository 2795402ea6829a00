import type { JsonMap } from "../../../page-api.ts";
import { type Field, isMap } from "./schema-fields.ts";

/** The person's input by field path. Fields without input are omitted from the arguments. */
export type Draft = Readonly<Record<string, string>>;

export interface Entered {
  readonly arguments: JsonMap;
  /** The problems, by field path. */
  readonly mistakes: Readonly<Record<string, string>>;
}

/** The path of a field within groups. */
export function pathIn(parent: string, name: string): string {
  return `${parent}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

export function toArguments(fields: readonly Field[], draft: Draft): Entered {
  const mistakes: [string, string][] = [];
  return { arguments: collect(fields, draft, "", mistakes) ?? {}, mistakes: Object.fromEntries(mistakes) };
}

/** Returns what a person would enter to get these arguments, or undefined if the form cannot express them. */
export function toDraft(fields: readonly Field[], values: JsonMap): Draft | undefined {
  const draft = Object.fromEntries(entriesOf(fields, values, ""));
  return JSON.stringify(sorted(toArguments(fields, draft).arguments)) === JSON.stringify(sorted(values))
    ? draft
    : undefined;
}

function collect(
  fields: readonly Field[],
  draft: Draft,
  parent: string,
  mistakes: [string, string][],
): JsonMap | undefined {
  const entries: [string, unknown][] = [];
  for (const field of fields) {
    const path = pathIn(parent, field.name);
    if (field.kind === "group") {
      const inside = collect(field.fields, draft, path, mistakes);
      if (inside !== undefined || field.isRequired) entries.push([field.name, inside ?? {}]);
      continue;
    }
    const text = draft[path];
    if (text === undefined || (text === "" && !isText(field))) {
      if (field.isRequired && text !== undefined) mistakes.push([path, "This field is required."]);
      continue;
    }
    try {
      entries.push([field.name, valueOf(field, text)]);
    } catch (error) {
      mistakes.push([path, error instanceof Error ? error.message : String(error)]);
    }
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function valueOf({ kind }: Field, text: string): unknown {
  switch (kind) {
    case "text":
    case "lines":
      return text;
    case "number":
      return numberOf(text, () => true, "Enter a number, such as 1.5.");
    case "integer":
      return numberOf(text, Number.isInteger, "Enter a whole number, such as 12.");
    case "list":
      return text.replace(/\n$/, "").split("\n");
    default:
      return parseJson(text);
  }
}

function numberOf(text: string, isRight: (value: number) => boolean, complaint: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || !isRight(value)) throw new Error(complaint);
  return value;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('Enter JSON, such as { "key": "value" } or [1, 2].');
  }
}

function* entriesOf(fields: readonly Field[], values: JsonMap, parent: string): Generator<[string, string]> {
  for (const field of fields) {
    if (!Object.hasOwn(values, field.name)) continue;
    const value = values[field.name];
    const path = pathIn(parent, field.name);
    if (field.kind === "group" && isMap(value)) yield* entriesOf(field.fields, value, path);
    else if (field.kind === "list" && Array.isArray(value)) yield [path, value.join("\n")];
    else if (typeof value === "string" && (isText(field) || field.kind === "lines")) yield [path, value];
    else yield [path, JSON.stringify(value)];
  }
}

const isText = ({ kind }: Field): boolean => kind === "text" || kind === "lines";

/** Sorts the keys, for a comparison. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isMap(value)) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, sorted(value[key])]);
}
