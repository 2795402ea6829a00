import { canonicalJson, isJsonObject, type JsonObject } from "../model/index.ts";
import type { DocumentFormat } from "./document.ts";
import { removeJsonMember, setJsonMember } from "./edit-json.ts";
import { memberAt } from "./member-at.ts";
import { parseJson } from "./parse-json.ts";

/**
 * Makes the object at a path say what is wanted and leaves all else alone. Only members that differ are touched, so that
 * comments inside it stay. Throws when the text cannot be edited safely.
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
    const way = [...path, key];
    if (after === undefined) edited = removeJsonMember(edited, way);
    else if (before !== undefined && canonicalJson(before) === canonicalJson(after)) continue;
    else if (isJsonObject(after)) edited = setJsonEntry(edited, way, after);
    else edited = setJsonMember(edited, way, after);
  }
  return edited;
}
