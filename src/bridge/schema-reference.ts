import { isJsonObject, type JsonObject, type JsonValue } from "../model/index.ts";

/** What a reference within the same schema stands for. Other documents are never fetched. */
export function localTarget(root: JsonObject, reference: JsonValue | undefined): JsonValue | undefined {
  if (reference === "#") return root;
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  if (!reference.startsWith("#/")) return anchored(root, reference.slice(1));
  let current: JsonValue | undefined = root;
  for (const step of reference.slice(2).split("/")) {
    const key = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as JsonObject)[key];
  }
  return current;
}

function anchored(root: JsonObject, anchor: string): JsonValue | undefined {
  for (const key of ["$defs", "definitions"]) {
    const parts = root[key];
    if (!isJsonObject(parts)) continue;
    const found = Object.values(parts).find((part) => isJsonObject(part) && part["$anchor"] === anchor);
    if (found !== undefined) return found;
  }
  return undefined;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
