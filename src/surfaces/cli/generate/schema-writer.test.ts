import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../index.ts";
import { SchemaTypes } from "./schema-writer.ts";

/** Returns the type of a schema and its interfaces, each on one line. */
function typeOf(schema: JsonValue): string {
  const types = new SchemaTypes();
  const type = types.typeOf(schema);
  return [type, ...types.interfaces].map((code) => code.replace(/\s+/g, " ")).join("; ");
}

const A = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

test.each<[JsonValue, string]>([
  [{ type: "string" }, "string"],
  [{ type: "integer" }, "number"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ type: ["number", "integer"] }, "number"],
  [{}, "unknown"],
  [true, "unknown"],
  [false, "never"],
  [{ const: "x" }, '"x"'],
  [{ const: { a: 1 } }, "unknown"],
  [{ enum: ["a", 1, true, null, "a"] }, '"a" | 1 | true | null'],
  [{ enum: [] }, "never"],
  [{ enum: ["x".repeat(201), "y"] }, 'string | "y"'],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ type: "array" }, "unknown[]"],
  [{ prefixItems: [{ type: "string" }, { type: "number" }], items: false, minItems: 1 }, "[string, number?]"],
  [{ type: "array", items: [{ type: "string" }], minItems: 1 }, "[string, ...unknown[]]"],
  [A, "{ a: string; }"],
  [{ properties: { "b-c": { type: "boolean", description: "Why" } } }, '{ /** Why */ "b-c"?: boolean; }'],
  [{ ...A, additionalProperties: { type: "number" } }, "{ a: string; [key: string]: unknown; }"],
  [{ ...A, additionalProperties: false }, "{ a: string; }"],
  [{ type: "object", additionalProperties: { type: "number" } }, "{ [key: string]: number }"],
  [{ type: "object", additionalProperties: false }, "{ [key: string]: never }"],
  [
    { type: "object", patternProperties: { x: {} }, additionalProperties: false },
    "{ [key: string]: unknown }",
  ],
  [{ anyOf: [{ type: "string" }, A] }, "string | { a: string; }"],
  [{ anyOf: [{ enum: ["a", "b"] }] }, '"a" | "b"'],
  [{ ...A, anyOf: [{ required: ["a"] }, { required: ["b"] }] }, "{ a: string; }"],
  [{ allOf: [A, { properties: { b: { type: "null" } } }] }, "{ a: string; } & { b?: null; }"],
  [
    { properties: { x: { $ref: "#/$defs/t~1s" } }, $defs: { "t/s": A } },
    "{ x?: Type1; }; interface Type1 { a: string; }",
  ],
  [{ properties: { x: { $ref: "#" } } }, "{ x?: Type1; }; interface Type1 { x?: Type1; }"],
  [{ properties: { x: { $ref: "#/$defs/s" } }, $defs: { s: { type: "string" } } }, "{ x?: string; }"],
  [{ items: { $ref: "#" } }, "unknown[][]"],
  [{ $ref: "#anchor", $defs: {} }, "unknown"],
  [{ $ref: "other.json#/a", a: { type: "string" } }, "unknown"],
  [{ $ref: "#/%", "%": { type: "string" } }, "string"],
  [{ $ref: "#/constructor" }, "unknown"],
])("%j", (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});

describe("a large schema stays small", () => {
  const text = "x".repeat(200);
  const many = (count: number): JsonValue[] =>
    Array.from({ length: count }, (_, at) => `${text}${at}`.slice(-200));
  const doubling: JsonObject = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return [
        `d${at}`,
        {
          anyOf: [
            { type: "array", items: next },
            { type: "array", items: { items: next } },
          ],
        },
      ];
    }),
  );
  const nested = (levels: number): JsonValue =>
    levels === 0 ? { type: "string" } : { type: "object", properties: { a: nested(levels - 1) } };

  test.each<[string, JsonValue]>([
    ["many properties", { properties: Object.fromEntries(many(50_000).map((name) => [`${name}`, {}])) }],
    ["a long enum", { enum: many(50_000) }],
    ["many types", { ...A, type: Array.from({ length: 100_000 }, () => "object") }],
    ["many choices", { oneOf: many(50_000).map((value) => ({ const: value })) }],
    ["deep nesting", nested(2_000)],
    ["references that double at each level", { $ref: "#/$defs/d0", $defs: doubling }],
    [
      "an enum in many places",
      {
        properties: Object.fromEntries(many(500).map((name) => [`${name}`, { $ref: "#/$defs/e" }])),
        $defs: { e: { enum: many(300) } },
      },
    ],
    ["a long reference", { $ref: `#${"/a".repeat(1_000_000)}` }],
    [
      "long descriptions",
      {
        properties: Object.fromEntries(
          many(400).map((name) => [`${name}`, { description: text.repeat(500) }]),
        ),
      },
    ],
  ])("%s", (_, schema) => {
    expect(typeOf(schema).length).toBeLessThan(400_000);
  });

  test("an intersection of unions that TypeScript would refuse is omitted", () => {
    const choices = (start: number) => ({
      anyOf: Array.from({ length: 60 }, (_, at) => ({
        properties: { [`p${start + at}`]: { type: "string" } },
      })),
    });
    expect(typeOf({ allOf: [choices(0), choices(100), choices(200)] })).toBe("unknown");
  });
});
