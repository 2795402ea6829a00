import { describe, expect, test } from "vitest";
import { toProviderSchema } from "../../src/adapters/schema/to-provider-schema.ts";
import type { JsonObject } from "../../src/index.ts";
import { reportInTime } from "../durability/counts.ts";
import { anthropicRefusals, geminiRefusals, openAiRefusals, strictRefusals } from "./provider-rules.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});

/** Schemas as servers write them. Some provider rejects each of them without conversion. */
const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  "no properties": { type: "object" },
  "nothing at all": {},
  "a draft": { $schema: "http://json-schema.org/draft-07/schema#", ...object({ a: { type: "string" } }) },
  "alternatives at the top": {
    anyOf: [
      object({ a: { type: "string" }, both: { type: "string" } }, { required: ["a", "both"] }),
      object({ b: { type: "number" }, both: { type: "number" } }, { required: ["both"] }),
    ],
  },
  "everything of several": {
    allOf: [object({ a: { type: "string" } }, { required: ["a"] }), { $ref: "#/$defs/more" }],
    $defs: { more: object({ b: { type: "boolean" } }) },
  },
  "alternatives beside properties": object(
    { a: { type: "string" }, b: { type: "string" } },
    { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
  ),
  "a reference at the top": {
    $ref: "#/definitions/in",
    definitions: { in: object({ a: { type: "string" } }) },
  },
  "a recursive reference": object(
    { tree: { $ref: "#/$defs/node" } },
    {
      $defs: {
        node: object({
          name: { type: "string" },
          children: { type: "array", items: { $ref: "#/$defs/node" } },
        }),
      },
    },
  ),
  "a reference to another document": object({ a: { $ref: "https://example.com/schema.json" } }),
  "a reference to nothing": object({ a: { $ref: "#/$defs/none" } }),
  "several types": object({ a: { type: ["string", "null"] }, b: { type: ["string", "integer"] } }),
  "null or something": object({ a: { anyOf: [{ type: "string" }, { type: "null" }], description: "A" } }),
  "one of several objects": object({
    shape: { oneOf: [object({ radius: { type: "number" } }), object({ width: { type: "number" } })] },
  }),
  "choices that are not strings": object({
    a: { type: "integer", enum: [1, 2] },
    b: { enum: ["", "x", null] },
  }),
  "a constant": object({ kind: { const: "file" }, one: { const: 1 } }),
  "a list of anything": object({ a: { type: "array" } }),
  "a tuple": object({
    a: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false },
  }),
  "a modern tuple": object({ a: { type: "array", prefixItems: [{ type: "string" }], items: false } }),
  "free keys": object({ a: { type: "object", additionalProperties: { type: "string" } } }),
  "keys by pattern": object({ a: { type: "object", patternProperties: { "^x": { type: "string" } } } }),
  anything: object({ a: {}, b: true }),
  "old bounds": object({
    a: { type: "number", minimum: 1, exclusiveMinimum: true, exclusiveMaximum: false },
  }),
  "new bounds": object({ a: { type: "integer", exclusiveMinimum: 0, multipleOf: 2 } }),
  formats: object({ a: { type: "string", format: "uri" }, b: { type: "string", format: "date-time" } }),
  "defaults and examples": object({ a: { type: "string", default: "x", examples: ["y"], title: "A" } }),
  "required but unknown": object({ a: { type: "string" } }, { required: ["a", "ghost"] }),
  "odd names": object(
    { "päth name": { type: "string" }, päth_name: { type: "string" }, ok: { type: "string" } },
    { required: ["päth name"] },
  ),
  "a name of objects": object(
    JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}') as JsonObject,
  ),
  conditions: object(
    { a: { type: "string" } },
    { if: { required: ["a"] }, else: {}, not: { required: ["b"] } },
  ),
};

const names = Object.keys(SCHEMAS);
const original = (name: string): JsonObject => SCHEMAS[name] ?? {};

describe.each(names)("a schema with %s", (name) => {
  test.each([
    ["gemini", geminiRefusals],
    ["openai", openAiRefusals],
    ["anthropic", anthropicRefusals],
  ] as const)("is taken by %s", (rules, refusals) => {
    const before = JSON.stringify(original(name));
    const { schema } = toProviderSchema(original(name), rules);
    expect(refusals(schema)).toEqual([]);
    expect(JSON.stringify(original(name))).toBe(before);
  });

  test("is accepted by OpenAI's strict mode, or not marked as strict", () => {
    const { schema, strict } = toProviderSchema(original(name), "openai-strict");
    expect(strict ? strictRefusals(schema) : openAiRefusals(schema)).toEqual([]);
  });

  test("is not changed without a provider's rules", () => {
    expect(toProviderSchema(original(name), "any").schema).toBe(original(name));
  });
});

test("the rules reject most of these schemas without conversion", () => {
  const refused = (refusals: (schema: JsonObject) => string[]): number =>
    names.filter((name) => refusals(original(name)).length > 0).length;
  expect({
    gemini: refused(geminiRefusals) > 20,
    openai: refused(openAiRefusals) > 5,
    strict: refused(strictRefusals) > 25,
    anthropic: refused(anthropicRefusals) > 5,
  }).toEqual({ gemini: true, openai: true, strict: true, anthropic: true });
});

test("schemas that can be strict are marked as strict", () => {
  const loose = names.filter((name) => toProviderSchema(original(name), "openai-strict").strict !== true);
  expect(loose).toEqual([
    "a reference to another document",
    "a list of anything",
    "a tuple",
    "a modern tuple",
    "free keys",
    "keys by pattern",
    "anything",
  ]);
});

describe("a conversion keeps the meaning:", () => {
  const gemini = (name: string): JsonObject => toProviderSchema(original(name), "gemini").schema;

  test("alternatives at the top level become one object that requires what all of them require", () => {
    expect(toProviderSchema(original("alternatives at the top"), "anthropic").schema).toEqual({
      type: "object",
      properties: {
        a: { type: "string" },
        both: { anyOf: [{ type: "string" }, { type: "number" }] },
        b: { type: "number" },
      },
      required: ["both"],
    });
  });

  test.each([
    [
      "several types",
      { a: { type: "string", nullable: true }, b: { anyOf: [{ type: "string" }, { type: "integer" }] } },
    ],
    ["null or something", { a: { type: "string", nullable: true, description: "A" } }],
    [
      "choices that are not strings",
      {
        a: { type: "integer", description: "One of: 1, 2." },
        b: { type: "string", enum: ["x"], nullable: true },
      },
    ],
    [
      "a constant",
      { kind: { type: "string", enum: ["file"] }, one: { type: "number", description: "One of: 1." } },
    ],
    ["a tuple", { a: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } } }],
    ["new bounds", { a: { type: "integer", minimum: 0 } }],
    ["formats", { a: { type: "string" }, b: { type: "string", format: "date-time" } }],
    ["free keys", { a: { type: "object" } }],
    [
      "a recursive reference",
      {
        tree: {
          type: "object",
          properties: { name: { type: "string" }, children: { type: "array", items: { type: "object" } } },
        },
      },
    ],
  ])("%s for Gemini", (name, properties) => {
    expect(gemini(name)).toEqual({ type: "object", properties });
  });

  test("older drafts are converted to the newest for Anthropic", () => {
    const { schema } = toProviderSchema(
      object({
        a: { type: "array", items: [{ type: "string" }], additionalItems: false },
        b: { minimum: 1, exclusiveMinimum: true },
      }),
      "anthropic",
    );
    expect(schema["properties"]).toEqual({
      a: { type: "array", prefixItems: [{ type: "string" }], items: false },
      b: { exclusiveMinimum: 1 },
    });
  });
});

describe("restored arguments", () => {
  test("names that Anthropic rejects reach the server unchanged", () => {
    const { schema, restore } = toProviderSchema(original("odd names"), "anthropic");
    expect(Object.keys(schema["properties"] as JsonObject)).toEqual(["p_th_name", "p_th_name_2", "ok"]);
    expect(schema["required"]).toEqual(["p_th_name"]);
    expect(restore({ p_th_name: "1", p_th_name_2: "2", ok: "3" })).toEqual({
      "päth name": "1",
      päth_name: "2",
      ok: "3",
    });
  });

  test("null for an optional property is removed if the schema does not allow null", () => {
    const { restore } = toProviderSchema(
      object(
        {
          needed: { type: ["string", "null"] },
          left: { type: "string" },
          nullable: { type: ["string", "null"] },
          node: { $ref: "#/$defs/node" },
          list: { type: "array", items: { $ref: "#/$defs/node" } },
          shape: {
            anyOf: [
              object({ r: { type: "number" } }),
              object({ w: { type: "number" }, h: { type: "number" } }),
            ],
          },
        },
        {
          required: ["needed"],
          $defs: { node: object({ name: { type: "string" }, next: { $ref: "#/$defs/node" } }) },
        },
      ),
      "openai-strict",
    );
    expect(
      restore({
        needed: null,
        left: null,
        nullable: null,
        node: { name: "a", next: { name: null, next: null } },
        list: [{ name: "b", next: null }],
        shape: { w: 1, h: null },
      }),
    ).toEqual({
      needed: null,
      nullable: null,
      node: { name: "a", next: {} },
      list: [{ name: "b" }],
      shape: { w: 1 },
    });
  });
});

describe("hostile schemas", () => {
  const inTime = reportInTime(
    "schemas that explode, converted for each provider within 250 ms and 1 MB",
    250,
  );
  const bomb = (): JsonObject => {
    const $defs: Record<string, JsonObject> = {};
    for (let level = 0; level < 40; level += 1) {
      const next = { $ref: `#/$defs/l${level + 1}` };
      $defs[`l${level}`] = object({ a: next, b: next, c: next });
    }
    return object({ a: { $ref: "#/$defs/l0" } }, { $defs });
  };
  const deep = (): JsonObject => {
    let schema: JsonObject = { type: "string" };
    for (let level = 0; level < 3_000; level += 1) schema = object({ a: schema });
    return schema;
  };
  const wide = (): JsonObject => {
    let schema: JsonObject = object({ a: { type: "string" } });
    for (let level = 0; level < 12; level += 1) schema = { anyOf: [schema, schema, schema, schema] };
    return schema;
  };

  const crowd = (): JsonObject => {
    const $defs: Record<string, JsonObject> = {};
    for (let level = 0; level < 12; level += 1) {
      $defs[`l${level}`] = {
        type: "object",
        anyOf: Array.from({ length: 60 }, () => ({ $ref: `#/$defs/l${level + 1}` })),
      };
    }
    return { $ref: "#/$defs/l0", $defs };
  };

  const times = <T>(count: number, make: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => make(at));
  const refer = (): JsonObject => ({ $ref: "#/$defs/one" });
  const foreign = (): JsonObject =>
    object(Object.fromEntries(times(9_000, (at) => [String.fromCodePoint(0x4e00 + at), {}])));
  const demanding = (): JsonObject => ({
    anyOf: times(256, refer),
    $defs: { one: object({}, { required: times(20_000, (at) => `n${at}`) }) },
  });
  const alike = (): JsonObject => ({
    anyOf: times(2_500, refer),
    $defs: { one: object({ p: { enum: times(20_000, (at) => `n${at}`) } }) },
  });
  const wordy = (): JsonObject =>
    object(Object.fromEntries(times(2_000, (at) => [`p${at}`, refer()])), {
      $defs: { one: { type: "string", description: "x".repeat(200_000) } },
    });

  const limited = (count: number): JsonObject[] => times(count, (at) => ({ type: "string", maxLength: at }));
  const described = (): JsonObject =>
    object({ a: { anyOf: [{ description: "x".repeat(20_000), anyOf: limited(1_000) }] } });
  const nested = (): JsonObject => {
    let schema: JsonObject = { anyOf: limited(500) };
    for (let level = 0; level < 20; level += 1)
      schema = { description: "x".repeat(2_000 + level), anyOf: [schema] };
    return object({ a: schema });
  };
  const typed = (): JsonObject =>
    object({
      a: { type: times(1_000, (at) => (at % 2 ? "integer" : "number")), enum: times(2_000, (at) => at) },
    });
  const various = (): JsonObject =>
    object({
      a: object({}, { anyOf: times(4_500, (at) => object({ p: { const: `${at}`.padStart(20) } })) }),
    });
  const gathered = (): JsonObject => object({ a: { allOf: times(4_500, (at) => ({ [`x-${at}`]: 1 })) } });

  test.each([
    ["one long text for a thousand alternatives", described],
    ["a long text at every level of alternatives", nested],
    ["a list of numbers for the same type a thousand times", typed],
    ["thousands of alternatives for one property", various],
    ["thousands of parts with a key each", gathered],
    ["thousands of names that have to be replaced", foreign],
    ["alternatives that all require thousands", demanding],
    ["thousands of alternatives with the same long list", alike],
    ["references to one long text", wordy],
    ["references that expand exponentially", bomb],
    ["alternatives that refer to alternatives", crowd],
    ["a thousand levels", deep],
    ["alternatives of alternatives", wide],
  ])("%s stay small for every provider", (_, make) => {
    for (const rules of ["gemini", "openai", "openai-strict", "anthropic"] as const) {
      const schema = make();
      inTime(() =>
        expect(JSON.stringify(toProviderSchema(schema, rules).schema).length).toBeLessThan(1_000_000),
      );
    }
  });
});
