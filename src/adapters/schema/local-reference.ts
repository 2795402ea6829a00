import type { JsonObject, JsonValue } from "../../index.ts";
import { isObject } from "./json-object.ts";

/** What `#/$defs/name` points at within its document. Nothing outside of the document is ever looked at. */
export function followReference(root: JsonObject, reference: JsonValue | undefined): JsonObject | undefined {
  if (reference === "#") return root;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let found: JsonValue | undefined = root;
  for (const step of reference.slice(2).split("/")) {
    const key = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return isObject(found) ? found : undefined;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step; // a stray percent sign
  }
}
