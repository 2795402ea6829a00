import { isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";

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

/** The first of a name counts. */
const anchors = new WeakMap<JsonObject, ReadonlyMap<JsonValue | undefined, JsonValue>>();

/** Read once for each schema, however many references there are. */
function anchored(root: JsonObject, anchor: string): JsonValue | undefined {
  let known = anchors.get(root);
  if (known === undefined) {
    const parts = ["$defs", "definitions"]
      .flatMap((key) => Object.values(root[key] ?? {}))
      .filter(isJsonObject);
    known = new Map(parts.reverse().map((part) => [part["$anchor"], part]));
    anchors.set(root, known);
  }
  return known.get(anchor);
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
