import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../model/index.ts";
import { checkValue } from "./check-value.ts";
import { fitsPlainShape } from "./plain-shape.ts";

const PLAIN: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  description: "Arguments.",
  properties: {
    path: { type: "string", description: "A path.", default: "." },
    count: { type: "integer" },
    ratio: { type: "number", title: "Ratio", examples: [0.5] },
    deep: { type: "boolean" },
  },
  required: ["path"],
};
const VALUES: readonly (JsonValue | undefined)[] = ["", "a", 0, 1, 0.5, true, null, [], {}, undefined];

describe("a schema whose members are plain", () => {
  test.each([
    ["that allows others", PLAIN],
    ["that allows only its own", { ...PLAIN, additionalProperties: false }],
    ["without members", { type: "object" }],
  ])("%s: both checks agree about every combination of values", (_title, schema) => {
    for (const path of VALUES)
      for (const [name, value] of ["count", "ratio", "deep", "other"].flatMap((each) =>
        VALUES.map((one) => [each, one] as const),
      )) {
        const args = Object.fromEntries(
          Object.entries({ path, [name]: value }).filter(([, each]) => each !== undefined),
        ) as JsonObject;
        const isValid = checkValue(args, schema).length === 0;
        expect({ args, isValid: fitsPlainShape(args, schema) }).toEqual({ args, isValid });
      }
  });
});

describe("a schema with any other keyword is left to the complete check", () => {
  test.each<[string, JsonObject]>([
    ["a limit of a text", { ...PLAIN, properties: { path: { type: "string", maxLength: 1 } } }],
    ["a choice", { ...PLAIN, properties: { path: { enum: ["a"] } } }],
    ["two types", { ...PLAIN, properties: { path: { type: ["string", "null"] } } }],
    ["a list", { ...PLAIN, properties: { path: { type: "array" } } }],
    ["a member that is not a schema", { ...PLAIN, properties: { path: false } }],
    ["alternatives", { ...PLAIN, anyOf: [false] }],
    ["a schema for others", { ...PLAIN, additionalProperties: { type: "string" } }],
    [
      "a keyword of a member that is not known",
      { ...PLAIN, properties: { path: { type: "string", not: {} } } },
    ],
    ["no type", { properties: { path: { type: "string" } } }],
    ["names that are not texts", { ...PLAIN, required: [1] }],
  ])("%s", (_title, schema) => {
    expect(fitsPlainShape({ path: "a" }, schema)).toBe(false);
  });
});

test("names that objects inherit are members like any other", () => {
  const schema: JsonObject = { type: "object", properties: {}, required: ["toString"] };
  expect(fitsPlainShape({}, schema)).toBe(false);
  expect(fitsPlainShape({ constructor: 1 }, { ...schema, required: [], additionalProperties: false })).toBe(
    false,
  );
  expect(fitsPlainShape(JSON.parse('{"__proto__":1}'), { type: "object", additionalProperties: false })).toBe(
    false,
  );
});
