import { canonicalJson, type JsonObject, type JsonValue } from "../model/index.ts";

/** A field that differs between two versions of a launch or a definition. */
export interface LaunchChange {
  /** The name of the field. */
  readonly field: string;
  /** The value before the change. `undefined` if the field is new. */
  readonly before: JsonValue | undefined;
  /** The value after the change. `undefined` if the field was removed. */
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
