import { describe, expect, test } from "vitest";
import { reportInTime } from "../../../test/durability/counts.ts";
import type { JsonObject, JsonValue } from "../../model/index.ts";
import { checkOutput } from "./check-arguments.ts";
import { checkValue } from "./check-value.ts";
import { loadPatterns, type Patterns } from "./patterns.ts";

const patterns: Patterns = await loadPatterns();
const check = (value: JsonValue, schema: JsonObject) => checkValue(value, schema, { patterns });
const inside = (schema: JsonObject): JsonObject => ({ type: "object", properties: { a: schema } });

const each = (schema: JsonObject): JsonObject => ({ items: schema });
const times = (value: JsonValue): JsonValue => Array.from({ length: 50_000 }, () => value);
const LARGE: JsonObject = Object.fromEntries(Array.from({ length: 8_000 }, (_, at) => [`key_${at}`, at]));
const named = (end: string, value: JsonValue): JsonObject =>
  Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`some_property_${at}${end}`, value]));
const MANY = named("", {});
const UNREADABLE = named("(", {});
const WITH_NOTHING = named("", []);

describe("keywords", () => {
  test.each<[string, JsonObject, JsonValue, JsonValue, string]>([
    ["minimum", { minimum: 1 }, 1, 0, '"a" must be at least 1'],
    ["maximum", { maximum: 1 }, 1, 2, '"a" must be at most 1'],
    ["exclusiveMinimum", { exclusiveMinimum: 1 }, 2, 1, '"a" must be more than 1'],
    ["exclusiveMaximum", { exclusiveMaximum: 1 }, 0, 1, '"a" must be less than 1'],
    [
      "exclusiveMinimum of an older draft",
      { minimum: 1, exclusiveMinimum: true },
      2,
      1,
      '"a" must be more than 1',
    ],
    ["multipleOf", { multipleOf: 0.1 }, 0.3, 0.35, '"a" must be a multiple of 0.1'],
    ["minLength", { minLength: 2 }, "ab", "😀", '"a" must have at least 2 characters'],
    ["maxLength", { maxLength: 1 }, "😀", "ab", '"a" must have at most 1 characters'],
    ["pattern", { pattern: "^[a-z]+$" }, "abc", "ABC", '"a" must match the pattern ^[a-z]+$'],
    ["pattern with a code", { pattern: "^\\u0041$" }, "A", "B", '"a" must match the pattern ^\\u0041$'],
    ["const", { const: { x: [1] } }, { x: [1] }, { x: [2] }, '"a" must be {"x":[1]}'],
    ["enum", { enum: ["x", 1, null] }, null, "y", '"a" must be one of "x", 1, null'],
    ["minItems", { minItems: 1 }, [1], [], '"a" must have at least 1 items'],
    ["maxItems", { maxItems: 1 }, [1], [1, 2], '"a" must have at most 1 items'],
    [
      "uniqueItems",
      { uniqueItems: true },
      [{ x: 1 }, { x: 2 }],
      [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
      '"a" must not contain duplicate items',
    ],
    [
      "contains",
      { contains: { type: "string" } },
      [1, "x"],
      [1],
      '"a" must contain at least 1 matching items',
    ],
    [
      "prefixItems",
      { prefixItems: [{ type: "string" }], items: false },
      ["x"],
      ["x", 1],
      '"a[1]" is not allowed',
    ],
    [
      "items of an older draft",
      { items: [{ type: "string" }] },
      ["x", 1],
      [1],
      '"a[0]" must be a string, not a number',
    ],
    ["minProperties", { minProperties: 1 }, { x: 1 }, {}, '"a" must have at least 1 members'],
    ["maxProperties", { maxProperties: 1 }, { x: 1 }, { x: 1, y: 1 }, '"a" must have at most 1 members'],
    [
      "patternProperties",
      { patternProperties: { "^x_": { type: "number" } } },
      { x_a: 1, y: "" },
      { x_a: "" },
      '"a.x_a" must be a number, not a string',
    ],
    [
      "names outside the patterns",
      { patternProperties: { "^x_": {} }, additionalProperties: false },
      { x_a: 1 },
      { y: 1 },
      '"a.y" is not an argument of this tool (it takes none)',
    ],
    [
      "additionalProperties",
      { additionalProperties: { type: "number" } },
      { x: 1 },
      { x: "" },
      '"a.x" must be a number, not a string',
    ],
    [
      "propertyNames",
      { propertyNames: { maxLength: 1 } },
      { x: 1 },
      { xy: 1 },
      '"a.xy" is not an allowed name',
    ],
    [
      "dependentRequired",
      { dependentRequired: { x: ["y"] } },
      { x: 1, y: 1 },
      { x: 1 },
      '"a.y" is required with "x"',
    ],
    ["allOf", { allOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, 4, '"a" must be at most 3'],
    [
      "anyOf",
      { anyOf: [{ type: "string" }, { type: "number" }] },
      1,
      true,
      '"a" matches none of the 2 allowed forms: "a" must be a string, not a boolean, or "a" must be a number, not a boolean',
    ],
    [
      "oneOf",
      { oneOf: [{ minimum: 1 }, { minimum: 5 }] },
      2,
      6,
      '"a" matches more than one of the allowed forms',
    ],
    ["not", { not: { type: "string" } }, 1, "x", '"a" is not allowed here'],
    [
      "if, then",
      JSON.parse('{"if":{"type":"string"},"then":{"minLength":1}}') as JsonObject,
      "x",
      "",
      '"a" must have at least 1 characters',
    ],
    ["if, else", { if: { type: "string" }, else: { minimum: 1 } }, 1, 0, '"a" must be at least 1'],
    [
      "nothing, where it is allowed",
      { type: "string", nullable: true },
      null,
      1,
      '"a" must be a string, not a number',
    ],
  ])("%s", (_, schema, good, bad, complaint) => {
    expect([check({ a: good }, inside(schema)), check({ a: bad }, inside(schema))]).toEqual([
      [],
      [complaint],
    ]);
  });

  test("references within the schema are resolved, even in recursive schemas", () => {
    const schema: JsonObject = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: {
            name: { $ref: "#/$defs/a~1b%20c" },
            children: { type: "array", items: { $ref: "#/$defs/node" } },
          },
          required: ["name"],
        },
        "a/b c": { type: "string" },
      },
    };
    expect(check({ name: "a", children: [{ name: "b", children: [] }] }, schema)).toEqual([]);
    expect(check({ name: "a", children: [{ name: 1 }] }, schema)).toEqual([
      '"children[0].name" must be a string, not a number',
    ]);
  });

  test("other documents are never fetched, so references to them pass", () => {
    expect(check({ a: 1 }, inside({ $ref: "http://127.0.0.1:1/schema.json" }))).toEqual([]);
  });

  test("messages about a result name the result", () => {
    expect(checkOutput([], { type: "object" })).toEqual(["the result must be an object, not an array"]);
  });
});

const HUGE = Array.from({ length: 500_000 }, (_, at) => ({ at }));

describe("a check is bounded:", () => {
  const inTime = reportInTime("values checked against schemas and patterns that explode, within 250 ms", 250);

  test.each<[string, JsonObject, JsonValue]>([
    ["a pattern with exponential backtracking", { pattern: "^(a+)+$" }, `${"a".repeat(50_000)}!`],
    ["a pattern that grows when compiled", { pattern: "([a-z]{1,1000}){1,1000}" }, "x"],
    ["many repetitions", { pattern: "[a-z]{1,1000}".repeat(50) }, "x".repeat(2_000)],
    ["a reference to itself", { $ref: "#/properties/a" }, 1],
    [
      "forms that refer to themselves",
      { anyOf: [{ $ref: "#/properties/a" }, { $ref: "#/properties/a" }], type: "string" },
      1,
    ],
    ["forms in forms", bomb(40), { x: 1 }],
    [
      "a list whose items are all compared",
      { uniqueItems: true },
      Array.from({ length: 100_000 }, (_, at) => ({ at })),
    ],
    ["a huge list among the choices", { enum: [LARGE] }, HUGE],
    ["huge lists that are compared", { uniqueItems: true }, [HUGE, HUGE]],
    [
      "items that are each compared with many",
      { contains: { enum: Array.from({ length: 5_000 }, (_, at) => at) } },
      Array.from({ length: 5_000 }, () => -1),
    ],
    ["a large object among the choices", each({ enum: [LARGE, 1] }), times({})],
    ["a choice that is tried and reported", each({ anyOf: [{ enum: [LARGE] }, {}] }), times(1)],
    ["a long text that is tried", each({ anyOf: [{ enum: ["x".repeat(200_000)] }, {}] }), times(1)],
    [
      "names that are looked for in forms",
      each({ anyOf: [{ required: Object.keys(LARGE) }, {}] }),
      times({}),
    ],
    [
      "names that are close to many others",
      each({ anyOf: [{ properties: MANY, additionalProperties: false }, {}] }),
      times({ some_propertx: 1, xome_propertx: 2, zome_propertx: 3 }),
    ],
    ["many patterns for names", each({ patternProperties: MANY }), times({ a: 1 })],
    ["many invalid patterns", each({ patternProperties: UNREADABLE }), times({ a: 1 })],
    ["many types", each({ anyOf: [{ type: Array.from({ length: 15_000 }, () => "null") }, {}] }), times(1)],
    ["many dependencies", each({ dependentRequired: WITH_NOTHING }), times({ a: 1 })],
    ["many dependent schemas", each({ dependentSchemas: MANY }), times({ a: 1 })],
  ])("%s", (_, schema, value) => {
    inTime(() => expect(Array.isArray(check({ a: value }, inside(schema)))).toBe(true));
  });

  test("a pattern that the engine does not support is left to the server", () => {
    expect(check({ a: "x" }, inside({ pattern: "^(?=y)" }))).toEqual([]);
    expect(check({ a: "x" }, inside({ pattern: "(" }))).toEqual([]);
  });

  test("problems found before the budget is used up are reported", () => {
    const schema = { type: "object", properties: { a: { type: "string" }, b: bomb(40) } };
    inTime(() =>
      expect(check({ a: 1, b: { x: 1 } }, schema)).toEqual(['"a" must be a string, not a number']),
    );
  });

  test.each<[string, JsonObject]>([
    [
      "long names",
      { items: { $ref: `#/$defs/${"a".repeat(100_000)}` }, $defs: { ["a".repeat(100_000)]: {} } },
    ],
    ["anchors", { items: { $ref: "#z" }, $defs: { ...MANY, z: { $anchor: "z" } } }],
  ])("repeated references by %s", (_, schema) => {
    inTime(() => expect(checkValue(times(1), schema)).toEqual([]));
  });

  test("a message is short even if the name is long", () => {
    const [complaint = ""] = check({ ["k".repeat(100_000)]: 1 }, { additionalProperties: false });
    expect(complaint.length).toBeLessThan(500);
  });
});

/** A schema that can fail in 2^levels ways. */
function bomb(levels: number): JsonObject {
  let schema: JsonObject = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { anyOf: [schema, schema] };
  return schema;
}

test("a very long list is not compared item by item", () => {
  const items = Array.from({ length: 60_000 }, () => "same");
  expect(checkValue(items, { uniqueItems: true })).toEqual([]);
  expect(checkValue(items.slice(0, 1_000), { uniqueItems: true })).toEqual([
    "the arguments must not contain duplicate items",
  ]);
});
