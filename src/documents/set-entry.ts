import { canonicalJson, isJsonObject, type JsonObject } from "../model/index.ts";
import type { DocumentFormat } from "./document.ts";
import { removeJsonMember, setJsonMember } from "./edit-json.ts";
import { memberAt } from "./member-at.ts";
import { parseJson } from "./parse-json.ts";

/**
 * Sets the object at a path and leaves everything else unchanged. Edits only members that differ, so that comments
 * inside the object stay. Throws if the text cannot be edited safely.
 */
export async function setEntry(
  text: string,
  format: Exclude<DocumentFormat, "yaml">,
  path: readonly string[],
  wanted: JsonObject,
): Promise<string> {
  if (format === "json") return setJsonEntry(text, path, wanted);
  const { setTomlTable } = await import("./edit-toml.lazy.ts");
  return setTomlTable(text, path, wanted);
}

function setJsonEntry(text: string, path: readonly string[], wanted: JsonObject): string {
  const current = memberAt(parseJson(text).value, path);
  if (!isJsonObject(current)) return setJsonMember(text, path, wanted);
  let edited = text;
  for (const key of new Set([...Object.keys(current), ...Object.keys(wanted)])) {
    const [before, after] = [memberAt(current, [key]), memberAt(wanted, [key])];
    const memberPath = [...path, key];
    if (after === undefined) edited = removeJsonMember(edited, memberPath);
    else if (before !== undefined && canonicalJson(before) === canonicalJson(after)) continue;
    else if (isJsonObject(after)) edited = setJsonEntry(edited, memberPath, after);
    else edited = setJsonMember(edited, memberPath, after);
  }
  return edited;
}
