import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../model/index.ts";
import { quarantineReason } from "./quarantine.ts";

const reason = (inputSchema: JsonObject, outputSchema?: JsonObject) =>
  quarantineReason({ name: "a", inputSchema, ...(outputSchema && { outputSchema }) });
const inside = (schema: unknown): JsonObject => ({ type: "object", properties: { a: schema as JsonObject } });

/** References that expand to 2^count parts. */
function references(levels: number): JsonObject {
  const $defs: Record<string, JsonObject> = { d0: { type: "string" } };
  for (let level = 1; level <= levels; level += 1) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { type: "object", properties: { x: { $ref }, y: { $ref } } };
  }
  return { type: "object", $ref: `#/$defs/d${levels}`, $defs };
}

function nested(levels: number): JsonObject {
  let schema: JsonObject = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { type: "array", items: schema };
  return inside(schema);
}

/** A chain of references: each part only refers to the next. */
function chain(length: number): JsonObject {
  const parts = Array.from({ length }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]);
  return {
    type: "object",
    $ref: "#/$defs/d0",
    $defs: { ...(Object.fromEntries(parts) as JsonObject), [`d${length}`]: {} },
  };
}

/** Many references to one name among many parts. */
function anchors(count: number): JsonObject {
  const parts = Array.from({ length: count }, (_, at) => [`d${at}`, {}]);
  return {
    type: "object",
    $defs: { ...(Object.fromEntries(parts) as JsonObject), named: { $anchor: "x" } },
    anyOf: Array.from({ length: count }, () => ({ $ref: "#x" })),
  };
}

describe("a tool is quarantined for", () => {
  test.each<[string, JsonObject, string]>([
    ["an input that is not an object", { type: "string" }, "its input schema is not an object schema"],
    ["a schema that is not an object", inside(5), "its input schema contains a value that is not a schema"],
    [
      "properties that are not an object",
      { type: "object", properties: [] },
      'its input schema has "properties" that is not an object',
    ],
    ["an unknown type", inside({ type: "color" }), "its input schema has an unknown type"],
    [
      "required that is not a list",
      inside({ type: "string", required: true }),
      'its input schema has "required" that is not a list of names',
    ],
    ["an enum that is not a list", inside({ enum: "x" }), 'its input schema has "enum" that is not a list'],
    [
      "a pattern that is not a string",
      inside({ pattern: {} }),
      'its input schema has "pattern" that is not a string',
    ],
    [
      "alternatives that are not a list",
      inside({ anyOf: {} }),
      'its input schema has "anyOf" that is not a list',
    ],
    [
      "a reference to nothing",
      inside({ $ref: "#/$defs/x" }),
      "its input schema refers to a part that does not exist",
    ],
    [
      "a large schema",
      inside({ description: "x".repeat(300_000) }),
      "its input schema is larger than 256 KB",
    ],
    [
      "a long enum",
      inside({ enum: Array.from({ length: 50_000 }, (_, at) => `option ${at}`) }),
      "its input schema is larger than 256 KB",
    ],
    ["a deep schema", nested(40), "its input schema is nested deeper than 32 levels"],
    [
      "a long chain of references",
      chain(6_000),
      "its input schema is nested deeper than 1000 levels through its references",
    ],
    [
      "references that expand to too much",
      references(14),
      "its input schema expands to more than 10000 parts",
    ],
    [
      "many parts",
      {
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`p${at}`, {}])),
      },
      "its input schema has more than 10000 parts",
    ],
  ])("%s", (_, schema, expected) => {
    expect(reason(schema)).toBe(expected);
  });

  test("an invalid output schema", () => {
    expect(reason({ type: "object" }, nested(40))).toBe("its output schema is nested deeper than 32 levels");
  });
});

describe("a tool is not quarantined for", () => {
  test.each<[string, JsonObject]>([
    ["an empty schema", {}],
    ["an object without properties", { type: "object" }],
    ["null properties", { type: "object", properties: null }],
    ["true and false for schemas", inside(true)],
    ["depth within the limits", nested(31)],
    ["references within the limits", references(10)],
    ["a tree", { ...inside({ $ref: "#" }) }],
    ["unknown keywords", inside({ "x-order": 1, format: "color", default: [{}] })],
    [
      "a property named like a keyword",
      {
        type: "object",
        properties: { type: { type: "string" }, required: { type: "boolean" }, enum: {}, $ref: {} },
      },
    ],
    ["many references to one name among many", anchors(4_900)],
    ["another document", inside({ $ref: "https://example.com/schema.json" })],
  ])("%s", (_, schema) => {
    expect(reason(schema)).toBeUndefined();
  });

  test("an output that is a list", () => {
    expect(reason({ type: "object" }, { type: "array", items: { type: "string" } })).toBeUndefined();
  });
});
