import { canonicalJson, type JsonObject, type JsonValue } from "../model/index.ts";

export interface LaunchChange {
  readonly field: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** What differs between two launches, field by field, in alphabetical order. */
export function launchChanges(before: JsonObject, after: JsonObject): LaunchChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields]
    .sort()
    .map((field) => ({ field, before: before[field], after: after[field] }))
    .filter((change) => canonicalJson(change.before ?? null) !== canonicalJson(change.after ?? null));
}
