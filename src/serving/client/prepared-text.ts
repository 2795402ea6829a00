import type { JsonObject } from "../../model/index.ts";

/** The JSON of results that were converted before. */
const texts = new WeakMap<JsonObject, string>();

/** Records the JSON of a result with one large member whose JSON is known. */
export function prepareText(result: JsonObject, key: string, text: string): void {
  const { [key]: _, ...rest } = result;
  const others = JSON.stringify(rest).slice(1);
  texts.set(result, `{${JSON.stringify(key)}:${text}${others === "}" ? "" : ","}${others}`);
}

/** Returns the JSON of a result if it was converted before. */
export function preparedText(result: JsonObject): string | undefined {
  return texts.get(result);
}
