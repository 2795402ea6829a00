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
    expect(() => complete({ it: wrong })).toThrow(
      expect.objectContaining({
        code: -32602,
        message: expect.stringMatching(/^The answer does not match the form: "it" must be .+\.$/),
      }),
    );
  });

  test("gets defaults for missing fields and loses unknown ones", () => {
    const { complete } = form({ a: { type: "integer", default: 1 }, b: { type: "string" } });
    expect(complete({ stray: true })).toEqual({ a: 1 });
    expect(complete({ a: 2, b: "x" })).toEqual({ a: 2, b: "x" });
  });

  test("must contain the required fields", () => {
    expect(() => form({ a: { type: "string" } }, ["a"]).complete({})).toThrow(
      'The answer does not match the form: "a" is missing.',
    );
    expect(() => form({ a: { type: "string" } }, ["b"]).complete({})).not.toThrow();
  });

  test("is never checked with the server's pattern, which could run forever", () => {
    const { complete } = form({ a: { type: "string", pattern: "^(a+)+$" } });
    const text = `${"a".repeat(50)}!`;
    expect(complete({ a: text })).toEqual({ a: text });
  });

  test("accepts a field named like an object member", () => {
    const { complete } = readForm(
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"string"}}}',
      ),
    );
    expect(complete({})).toStrictEqual({});
    expect(JSON.stringify(complete(JSON.parse('{"__proto__":"x"}')))).toBe('{"__proto__":"x"}');
  });
});

describe("a form", () => {
  test("is read with enumNames, made safe to print", () => {
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

  test("is read with every field property", () => {
    const { fields } = form(
      {
        text: {
          type: "string",
          title: "T",
          description: "D",
          format: "email",
          minLength: 1,
          maxLength: 9,
          minimum: 5,
        },
        number: { type: "number", minimum: 0, maximum: 2, default: 0, maxLength: 3 },
        list: { type: "array", minItems: 1, maxItems: 2, items: { enum: ["a"] } },
        plain: { type: "boolean", title: 1, description: 2, format: 3, minimum: "4" },
      },
      ["text"],
    );
    const options = [{ value: "a", title: "a" }];
    expect(fields).toStrictEqual([
      {
        name: "text",
        kind: "text",
        title: "T",
        description: "D",
        required: true,
        format: "email",
        least: 1,
        most: 9,
      },
      { name: "number", kind: "number", required: false, default: 0, least: 0, most: 2 },
      { name: "list", kind: "choices", required: false, options, least: 1, most: 2 },
      { name: "plain", kind: "boolean", required: false },
    ]);
  });

  test("uses an option's value as its title if it has none, and skips invalid options", () => {
    const { fields } = form({
      a: { oneOf: [{ const: "x", title: "X" }, { const: "y" }, { const: 1 }, "z"] },
      b: { enum: ["x", 1, "y"], enumNames: ["X"] },
    });
    const [x, y] = [
      { value: "x", title: "X" },
      { value: "y", title: "y" },
    ];
    expect(fields.map(({ options }) => options)).toEqual([
      [x, y],
      [x, y],
    ]);
  });

  test("may have a hundred fields and five hundred options", () => {
    const names = Array.from({ length: 501 }, (_, index) => `n${index}`);
    const many = Object.fromEntries(names.slice(0, 100).map((name) => [name, { type: "string" }]));
    expect(form(many).fields).toHaveLength(100);
    const { fields } = form({ a: { enum: names }, b: { oneOf: names.map((name) => ({ const: name })) } });
    expect(fields.map(({ options }) => options?.length)).toEqual([500, 500]);
  });

  test.each<[string, JsonObject, string]>([
    ["no properties", { properties: [] }, "it has no properties."],
    ["a field that is text", { properties: { a: "string" } }, '"a" is not a schema.'],
    [
      "a nested field",
      { properties: { a: { type: "object" } } },
      '"a" has a type that forms do not support.',
    ],
    [
      "a list of anything",
      { properties: { a: { type: "array", items: "string" } } },
      '"a" has a type that forms do not support.',
    ],
    [
      "too many fields",
      { properties: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i, { type: "string" }])) },
      "it has more than 100 fields.",
    ],
    [
      "a field with a long name",
      { properties: { ["n".repeat(200)]: 1 } },
      `"${"n".repeat(99)}…" is not a schema.`,
    ],
    [
      "a field with a long name and an unknown type",
      { properties: { ["n".repeat(200)]: {} } },
      `"${"n".repeat(99)}…" has a type that forms do not support.`,
    ],
  ])("with %s is refused as invalid, with the reason", (_, schema, why) => {
    expect(() => readForm(schema)).toThrow(
      expect.objectContaining({ code: -32602, message: `This form cannot be shown: ${why}` }),
    );
  });

  test.each([
    ["is not an object", "text"],
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

describe("a form that is too large", () => {
  const many = (count: number, make: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => make(index));

  test.each<[string, JsonObject]>([
    ["options of megabytes", { a: { type: "string", enum: many(400, () => "o".repeat(10_000)) } }],
    ["very many options", { a: { type: "string", enum: many(100_000, String) } }],
    ["a default of very many values", { a: { type: "string", default: many(100_000, String) } }],
    ["a title of megabytes", { a: { type: "string", title: "\u202e".repeat(1_000_000) } }],
    ["a name of megabytes", { ["\u202e".repeat(1_000_000)]: { type: "string" } }],
  ])("because of %s is refused", (_, properties) => {
    expect(() => form(properties)).toThrow("This form cannot be shown: it is too large.");
  });

  test("because of too many required names is refused", () => {
    expect(() => form({}, many(100_000, String))).toThrow("it is too large");
  });
});

test("a default that is too long to review is refused", () => {
  const text = (length: number): JsonObject => ({ a: { type: "string", default: "😀".repeat(length / 2) } });
  expect(form(text(16_000)).fields[0]?.default).toHaveLength(16_000);
  expect(() => form(text(16_002))).toThrow(
    'This form cannot be shown: "a" has a default of more than 16000 characters.',
  );
});

test("the titles of options are truncated, their values are not", () => {
  const value = "v".repeat(2_000);
  const { fields } = form({ a: { type: "string", enum: [value] }, b: { oneOf: [{ const: value }] } });
  for (const { options } of fields) {
    expect(options?.[0]?.value).toBe(value);
    expect(options?.[0]?.title).toHaveLength(500);
  }
});

test("long titles, descriptions and names in errors are truncated", () => {
  const long = "x".repeat(5_000);
  const { fields } = form({ a: { type: "string", title: long, description: long } });
  expect(fields[0]?.title).toHaveLength(4_000);
  expect(fields[0]?.description).toHaveLength(4_000);
  const name = "n".repeat(200);
  expect(() => form({ [name]: { type: "string" } }, [name]).complete({})).toThrow(
    `"${"n".repeat(99)}…" is missing.`,
  );
});

test("a form may nest up to a limit", () => {
  const nested = (depth: number): JsonObject => ({
    a: { type: "string", default: JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) },
  });
  expect(() => form(nested(13))).not.toThrow();
  expect(() => form(nested(14))).toThrow("it is too large");
});
