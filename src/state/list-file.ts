import { decodeText, parseJson } from "../documents/index.ts";
import { isJsonObject, isList, type JsonValue } from "../model/index.ts";

/** A state file that contains a version and one list. */
export interface ListFile {
  readonly version: number;
  readonly items: readonly JsonValue[];
}

/** Parses `{ "version": 1, "<key>": [ … ] }`. Throws if it is anything else. */
export function parseListFile(bytes: Uint8Array, key: string, versions: readonly number[]): ListFile {
  const decoded = decodeText(bytes);
  if (!("text" in decoded)) throw new Error(decoded.message);
  const { value, problems } = parseJson(decoded.text);
  if (value === undefined) throw new Error(`it ${problems[0]?.message ?? "is not JSON"}`);
  const { version, [key]: items } = isJsonObject(value) ? value : {};
  if (typeof version !== "number" || !versions.includes(version) || !isList(items))
    throw new Error(`it contains no list of ${key} of this version`);
  return { version, items };
}
