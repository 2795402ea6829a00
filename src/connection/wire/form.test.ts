import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../model/index.ts";
import { readForm } from "./form.ts";

const form = (properties: JsonObject, required: readonly string[] = []) =>
  readForm({ type: "object", properties, required });

describe("an answer to a form", () => {
  test.each([
    ["text", { type: "string" }, "a", 1],
    ["text of a length", { type: "string", minLength: 2, maxLength: 3 }, "abc", "a"],
    ["text of a length", { type: "string", minLength: 2, maxLength: 3 }, "ab", "abcd"],
    ["an address", { type: "string", format: "email" }, "a@b.c", "ab"],
    ["a link", { type: "string", format: "uri" }, "https://a.b", "a b"],
    ["a day", { type: "string", format: "date" }, "2026-11-15", "2026-13-45"],
    ["a time", { type: "string", format: "date-time" }, "2026-11-15T12:00:00Z", "noon"],
    ["a number", { type: "number", minimum: 1, maximum: 2 }, 1.5, 3],
    ["a whole number", { type: "integer" }, 2, 2.5],
    ["a boolean", { type: "boolean" }, false, "false"],
    ["a choice", { type: "string", enum: ["a", "b"] }, "b", "c"],
    ["a titled choice", { type: "string", oneOf: [{ const: "a", title: "A" }] }, "a", "A"],
    ["choices", { type: "array", items: { type: "string", enum: ["a", "b"] } }, ["a", "b"], ["c"]],
    ["titled choices", { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } }, ["a"], "a"],
    ["so many choices", { type: "array", minItems: 1, items: { enum: ["a"] } }, ["a"], []],
  ])("may be %s, and nothing else", (_, property, right, wrong) => {
    const { complete } = form({ it: property });
    expect(complete({ it: right })).toEqual({ it: right });
    expect(() => complete({ it: wrong })).toThrow('The answer does not fit the form: "it"');
  });

  test("gets the defaults of what it leaves out, and loses what was not asked for", () => {
    const { complete } = form({ a: { type: "integer", default: 1 }, b: { type: "string" } });
    expect(complete({ stray: true })).toEqual({ a: 1 });
    expect(complete({ a: 2, b: "x" })).toEqual({ a: 2, b: "x" });
  });

  test("needs what is required", () => {
    expect(() => form({ a: { type: "string" } }, ["a"]).complete({})).toThrow('"a" is missing');
  });

  test("is never checked by a pattern of the server's, which could run for ever", () => {
    const { complete } = form({ a: { type: "string", pattern: "^(a+)+$" } });
    const text = `${"a".repeat(50)}!`;
    expect(complete({ a: text })).toEqual({ a: text });
  });

  test("takes a name that every object has for a field like any other", () => {
    const { complete } = readForm(
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"string"}}}',
      ),
    );
    expect(complete({})).toEqual({});
    expect(JSON.stringify(complete(JSON.parse('{"__proto__":"x"}')))).toBe('{"__proto__":"x"}');
  });
});

describe("a form", () => {
  test("is read with the names beside an enum, made safe to print", () => {
    const { fields } = form({
      size: { type: "string", title: "\u001b[31mSize", enum: ["s", "l"], enumNames: ["Small", "Large"] },
    });
    expect(fields).toEqual([
      {
        name: "size",
        kind: "choice",
        title: expect.not.stringContaining("\u001b"),
        required: false,
        options: [
          { value: "s", title: "Small" },
          { value: "l", title: "Large" },
        ],
      },
    ]);
  });

  test.each([
    ["is no object", "text"],
    ["has no properties", { type: "object" }],
    ["nests", { properties: { a: { type: "object", properties: {} } } }],
    ["has lists of anything", { properties: { a: { type: "array", items: { type: "string" } } } }],
    [
      "is endless",
      { properties: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i, { type: "string" }])) },
    ],
  ])("that %s is refused", (_, schema) => {
    expect(() => readForm(schema)).toThrow("This form cannot be shown");
  });
});
