import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../model/index.ts";
import { convertSchema } from "../schema/convert-schema.ts";
import { checkArguments } from "./check-arguments.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    path: { type: "string" },
    count: { type: "integer" },
    ratio: { type: "number" },
    deep: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    mode: { enum: ["fast", "slow", null] },
    id: { type: ["string", "null"] },
    filter: {
      type: "object",
      properties: { size: { type: "number" } },
      required: ["size"],
      additionalProperties: false,
    },
    anything: {},
  },
  required: ["path"],
  additionalProperties: false,
};

test.each<[unknown, string]>([
  [[], "an array"],
  [null, "null"],
  [5, "a number"],
  ["path", "a string"],
])("arguments that are not an object are reported, whatever the schema: %j", (args, type) => {
  const complaint = [`the arguments must be an object, not ${type}`];
  for (const schema of [
    { type: "object" },
    { type: "object", properties: { a: { type: "string" } } },
    SCHEMA,
  ])
    expect(checkArguments(args as JsonObject, schema)).toEqual(complaint);
});

describe("valid arguments", () => {
  test.each<[string, JsonObject]>([
    ["the least", { path: "" }],
    [
      "one of each",
      {
        path: "a",
        count: 3,
        ratio: 0.5,
        deep: false,
        tags: ["a", "b"],
        mode: "fast",
        id: null,
        filter: { size: 1 },
        anything: [{ nested: true }],
      },
    ],
    ["an enum's nothing", { path: "a", mode: null }],
    ["integers in other notations", { path: "a", count: 1e3, ratio: 2 }],
  ])("pass: %s", (_, args) => {
    expect(checkArguments(args, SCHEMA)).toEqual([]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["a schema without anything", { anything: 1 }, {}],
    ["an unknown type", { a: 1 }, { properties: { a: { type: "color" } } }],
    [
      "names that a pattern may allow",
      { x_a: 1 },
      { additionalProperties: false, patternProperties: { "^x_": {} } },
    ],
    ["names that are not forbidden", { other: 1 }, { type: "object", properties: {} }],
    ["a schema that is broken", { a: 1 }, { type: 5, properties: "none", required: "a", enum: {} }],
    ["references, which the server resolves", { a: 1 }, { properties: { a: { $ref: "#/$defs/a" } } }],
  ])("pass because the server checks them: %s", (_, args, schema) => {
    expect(checkArguments(args, schema)).toEqual([]);
  });
});

describe("invalid arguments", () => {
  test.each<[string, JsonObject, readonly string[]]>([
    ["none", {}, ['"path" is required']],
    ["a number for a text", { path: 1 }, ['"path" must be a string, not a number']],
    ["a text for a number", { path: "a", ratio: "1" }, ['"ratio" must be a number, not a string']],
    ["a fraction for an integer", { path: "a", count: 1.5 }, ['"count" must be an integer, not a number']],
    ["a text for a boolean", { path: "a", deep: "yes" }, ['"deep" must be a boolean, not a string']],
    ["one for a list", { path: "a", tags: "a" }, ['"tags" must be an array, not a string']],
    [
      "a wrong item",
      { path: "a", tags: ["a", 1, null] },
      ['"tags[1]" must be a string, not a number', '"tags[2]" must be a string, not null'],
    ],
    ["a list for an object", { path: "a", filter: [] }, ['"filter" must be an object, not an array']],
    ["one of several types", { path: "a", id: 1 }, ['"id" must be a string or null, not a number']],
    ["nothing for a text", { path: null }, ['"path" must be a string, not null']],
    ["a wrong choice", { path: "a", mode: "quick" }, ['"mode" must be one of "fast", "slow", null']],
    ["an inner one", { path: "a", filter: {} }, ['"filter.size" is required']],
    ["a typo", { path: "a", coutn: 1 }, ['"coutn" is not an argument of this tool (did you mean "count"?)']],
    [
      "an unknown inner one",
      { path: "a", filter: { size: 1, colour: 1 } },
      ['"filter.colour" is not an argument of this tool (it takes size)'],
    ],
    [
      "a name with a meaning in JavaScript",
      { path: "a", constructor: 1 },
      [
        '"constructor" is not an argument of this tool (it takes path, count, ratio, deep, tags, mode, id, filter, anything)',
      ],
    ],
  ])("are reported one by one: %s", (_, args, complaints) => {
    expect(checkArguments(args, SCHEMA)).toEqual(complaints);
  });

  test("for a tool without parameters are reported", () => {
    expect(checkArguments({ a: 1 }, { type: "object", properties: {}, additionalProperties: false })).toEqual(
      ['"a" is not an argument of this tool (it takes none)'],
    );
  });

  test("are reported up to ten at a time", () => {
    const tags = Array.from({ length: 1_000 }, () => 1);
    expect(checkArguments({ path: "a", tags }, SCHEMA)).toHaveLength(10);
  });
});

test("a recursive schema is followed up to a limit", () => {
  const schema: Record<string, unknown> = { type: "object" };
  schema["properties"] = { a: schema };
  let args: JsonObject = { a: 1 };
  for (let depth = 0; depth < 100; depth += 1) args = { a: args };
  expect(checkArguments(args, schema as JsonObject)).toEqual([]);
});

test.each<[string, JsonObject | undefined, JsonObject]>([
  ["none becomes an empty object", undefined, { type: "object", properties: {} }],
  ["an object without properties gets none", { type: "object" }, { type: "object", properties: {} }],
  ["broken properties are emptied", { type: "object", properties: null }, { type: "object", properties: {} }],
  ["everything else stays", SCHEMA, SCHEMA],
])("the converted schema: %s", (_, schema, converted) => {
  expect(convertSchema(schema)).toEqual(converted);
});
