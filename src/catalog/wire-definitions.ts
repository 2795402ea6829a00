import type { JsonObject } from "../model/index.ts";

/**
 * Definitions as servers sent them, with fields that Plugboard does not interpret (`icons`, `execution`, `_meta`). Kept beside the
 * parsed definitions, so that pins, hashes and lists for agents do not depend on them.
 */
const wires = new WeakMap<object, JsonObject>();

/** Returns a definition as its server sent it; `undefined` unless the catalog is verbatim. */
export function wireOf(definition: object): JsonObject | undefined {
  return wires.get(definition);
}

export function setWire(definition: object, wire: JsonObject): void {
  wires.set(definition, wire);
}
