import type { JsonObject, JsonValue } from "../../index.ts";
import { objectOf, omit, textsOf } from "./json-object.ts";
import { mapSchema } from "./map-schema.ts";
import { mergeAlternatives, resolveRoot } from "./merge-alternatives.ts";
import type { ProviderSchema } from "./provider-schema.ts";

const KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * Converts a schema for Anthropic, which requires JSON Schema 2020-12, an object without alternatives at the top level, and property
 * names of certain characters. Other names are replaced, and restored in the model's arguments.
 */
export function toAnthropicSchema(schema: JsonObject): ProviderSchema {
  const root = mergeAlternatives(resolveRoot(schema), schema);
  const { $schema: _, ...modern } = mapSchema(root, toModernDraft);
  const names = plainNames(Object.keys(objectOf(modern["properties"])));
  if (names.size === 0) return { schema: modern, restore: (args) => args };
  const original = new Map([...names].map(([name, plain]) => [plain, name]));
  return {
    schema: {
      ...modern,
      properties: renamed(objectOf(modern["properties"]), names),
      required: textsOf(modern["required"]).map((name) => names.get(name) ?? name),
    },
    restore: (args) => renamed(args, original),
  };
}

/** Converts tuples, exclusive bounds and external references from drafts before 2019. */
function toModernDraft(schema: JsonObject): JsonObject {
  const { items, additionalItems, ...others } = schema;
  const bounded = withNumericBounds(
    items === undefined && additionalItems === undefined
      ? schema
      : Array.isArray(items)
        ? {
            ...others,
            prefixItems: items as readonly JsonValue[],
            ...(additionalItems !== undefined && { items: additionalItems }),
          }
        : { ...others, ...(items !== undefined && { items }) },
  );
  const { $ref } = bounded;
  return typeof $ref === "string" && !$ref.startsWith("#") ? omit(bounded, ["$ref"]) : bounded;
}

function withNumericBounds(schema: JsonObject): JsonObject {
  let result = schema;
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof result[exclusive] !== "boolean") continue;
    const limit = result[bound];
    result =
      result[exclusive] && limit !== undefined
        ? { ...omit(result, [bound]), [exclusive]: limit }
        : omit(result, [exclusive]);
  }
  return result;
}

/** Maps each name with unsupported characters to a unique name without them. */
function plainNames(names: readonly string[]): Map<string, string> {
  const taken = new Set(names);
  const plain = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const name of names) {
    if (KEY.test(name)) continue;
    const stem = name.replaceAll(/[^a-zA-Z0-9_.-]+/g, "_").slice(0, 56);
    let candidate = stem === "" ? "_" : stem;
    let count = counts.get(stem) ?? 1;
    while (taken.has(candidate)) {
      count += 1;
      candidate = `${stem}_${count}`;
    }
    counts.set(stem, count);
    taken.add(candidate);
    plain.set(name, candidate);
  }
  return plain;
}

function renamed(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]));
}
