import type { JsonObject, JsonValue } from "../../index.ts";
import { isObject } from "./json-object.ts";

/** Resolves a reference such as `#/$defs/name` within its document. Never reads anything outside of the document. */
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
    return step; // contains a percent sign that is not an escape
  }
}
