import { isJsonObject, type JsonObject, type JsonValue, memoize } from "../../model/index.ts";

/** Resolves a reference within the same schema. Never fetches other documents. */
export function localTarget(root: JsonObject, reference: JsonValue | undefined): JsonValue | undefined {
  if (reference === "#") return root;
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  if (!reference.startsWith("#/")) return anchorsIn(root).get(reference.slice(1));
  let current: JsonValue | undefined = root;
  for (const step of reference.slice(2).split("/")) {
    const key = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as JsonObject)[key];
  }
  return current;
}

/** Returns a schema's definitions by `$anchor`. If anchors are equal, the first one wins. */
const anchorsIn = memoize((root: JsonObject): ReadonlyMap<JsonValue | undefined, JsonValue> => {
  const parts = ["$defs", "definitions"]
    .flatMap((key) => Object.values(root[key] ?? {}))
    .filter(isJsonObject);
  return new Map(parts.reverse().map((part) => [part["$anchor"], part]));
});

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
