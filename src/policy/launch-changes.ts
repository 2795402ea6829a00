import { canonicalJson, type JsonObject, type JsonValue } from "../model/index.ts";

export interface LaunchChange {
  readonly field: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** Returns the fields that differ between two launches, in alphabetical order. */
export function launchChanges(before: JsonObject, after: JsonObject): LaunchChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields]
    .sort()
    .filter((field) => canonicalJson(only(before, field)) !== canonicalJson(only(after, field)))
    .map((field) => ({ field, before: before[field], after: after[field] }));
}

/** Distinguishes a missing field from `null`. */
function only(fields: JsonObject, field: string): readonly JsonValue[] {
  return Object.hasOwn(fields, field) ? [fields[field] ?? null] : [];
}
