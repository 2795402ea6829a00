import { expect, test } from "vitest";
import type { JsonObject } from "../model/index.ts";
import { signatureOf } from "./signature.ts";

const of = (properties: JsonObject, required: readonly string[] = [], more: JsonObject = {}): string =>
  signatureOf("f", { type: "object", properties, required: [...required], ...more }, 1_000);
const TEXT = { type: "string" };

test.each<[string, JsonObject, string]>([
  ["required parameters first", { b: TEXT, a: { type: "integer" } }, "f(a: integer, b?: string)"],
  ["fixed values", { a: { enum: ["low", 3, null] } }, 'f(a: "low"|3)'],
  ["one value", { a: { const: "x" } }, 'f(a: "x")'],
  ["lists", { a: { type: "array", items: TEXT } }, "f(a: string[])"],
  ["lists of choices", { a: { type: "array", items: { enum: ["x", "y"] } } }, 'f(a: ("x"|"y")[])'],
  ["lists of anything", { a: { type: "array" } }, "f(a: array)"],
  [
    "nested objects",
    { a: { type: "object", properties: { c: TEXT, d: { type: "number" } }, required: ["d"] } },
    "f(a: {d: number, c?: string})",
  ],
  ["objects without members", { a: { type: "object" } }, "f(a: object)"],
  ["alternatives", { a: { anyOf: [TEXT, { type: "null" }, { type: "number" }] } }, "f(a: string|number)"],
  ["several types", { a: { type: ["string", "null"] } }, "f(a: string)"],
  ["combined schemas", { a: { allOf: [TEXT, { enum: ["x"] }] } }, 'f(a: string & "x")'],
  ["anything", { a: {} }, "f(a: any)"],
  ["dates in a description", { a: { ...TEXT, description: "As YYYY-MM-DD." } }, "f(a: string(YYYY-MM-DD))"],
  ["dates by format", { a: { ...TEXT, format: "date" } }, "f(a: string(YYYY-MM-DD))"],
  ["names that are not identifiers", { a: TEXT, "x y": TEXT }, 'f(a: string, "x y"?: string)'],
])("a signature shows %s", (_, properties, expected) => {
  expect(of(properties, ["a"])).toBe(expected);
});

test("references are resolved, and a schema that refers to itself ends", () => {
  const $defs = { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } };
  const text = of({ a: { $ref: "#/$defs/node" } }, ["a"], { $defs });
  expect(text).toMatch(/^f\(a: \{next\?: \{.*…/);
  expect(text.length).toBeLessThan(200);
});

test("a signature is bounded, whatever a server sends", () => {
  const values = { enum: Array.from({ length: 1_000 }, (_, at) => `${"x".repeat(1_000)}${at}`) };
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, values]));
  const deep = { type: "object", properties: many, required: Object.keys(many) };
  const text = of({ a: TEXT, b: deep, "line\nbreak": TEXT }, ["a"]);
  expect(text).toBe("f(a: string, … 2 more)");
});
