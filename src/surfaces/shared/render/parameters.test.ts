import { expect, test } from "vitest";
import type { JsonObject } from "../../../index.ts";
import { listParameters, sampleOf, typeText } from "./parameters.ts";

const rows = (schema: JsonObject): string[] =>
  listParameters(schema).map(({ key, type, isRequired }) => `${key}${isRequired ? "" : "?"}: ${type}`);

const EDIT: JsonObject = {
  type: "object",
  properties: { oldText: { type: "string" }, color: { $ref: "#/$defs/Color" } },
  required: ["oldText"],
};
const SCHEMA: JsonObject = {
  type: "object",
  $defs: {
    Edit: EDIT,
    Color: { enum: ["red", "blue"] },
    Tree: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/Tree" } } } },
  },
  properties: {
    edits: { type: "array", items: EDIT },
    edit: { $ref: "#/$defs/Edit" },
    maybe: { anyOf: [{ $ref: "#/$defs/Edit" }, { type: "null" }] },
    "a.b": { type: "string" },
    away: { $ref: "https://schemas.example/x.json" },
    missing: { $ref: "#/$defs/Gone" },
  },
  required: ["edits"],
};

test("lists the fields of objects in lists, of references and of optional objects", () => {
  expect(rows(SCHEMA)).toEqual([
    "edits: object[]",
    "edits[].oldText: string",
    'edits[].color?: "red" | "blue"',
    "edit?: object",
    "edit.oldText: string",
    'edit.color?: "red" | "blue"',
    "maybe?: object | null",
    "maybe.oldText: string",
    'maybe.color?: "red" | "blue"',
    "a.b?: string",
    "away?: x.json",
    "missing?: Gone",
  ]);
  expect(listParameters(SCHEMA).filter(({ isNested }) => !isNested)).toHaveLength(6);
});

test("stops at recursive and at huge schemas", () => {
  const { $defs } = SCHEMA;
  const tree: JsonObject = { $defs: $defs ?? {}, properties: { tree: { $ref: "#/$defs/Tree" } } };
  expect(rows(tree)).toEqual([
    "tree?: object",
    "tree.children?: object[]",
    "tree.children[].children?: object[]",
  ]);
  const loop: JsonObject = { $defs: { A: { $ref: "#/$defs/A" } }, properties: { a: { $ref: "#/$defs/A" } } };
  expect(rows(loop)).toEqual(["a?: A"]);
  const wide: JsonObject = {
    $defs: {
      W: {
        properties: Object.fromEntries(
          Array.from({ length: 100 }, (_, i) => [`p${i}`, { $ref: "#/$defs/W" }]),
        ),
      },
    },
    properties: { w: { $ref: "#/$defs/W" } },
  };
  expect(listParameters(wide)).toHaveLength(100);
});

test("a sample has the required fields, and the values that the schema offers", () => {
  const sample = (name: string): unknown => {
    const found = listParameters(SCHEMA).find(({ key }) => key === name);
    return found && sampleOf(found.schema, SCHEMA);
  };
  expect(sample("edits")).toEqual([{ oldText: "text" }]);
  expect(sample("edit")).toEqual({ oldText: "text" });
  expect(sampleOf({ type: "array", items: { type: "string" } }, SCHEMA, "paths")).toEqual(["README.md"]);
  expect(sampleOf({ type: "array", items: {} }, SCHEMA)).toEqual([]);
  expect(sampleOf({ type: "integer", minimum: 3 }, SCHEMA)).toBe(3);
  expect(sampleOf({ type: "string", default: "@.env" }, SCHEMA)).toBe("@.env");
});

test("renders types as TypeScript does", () => {
  expect(typeText({ type: "array", items: { type: ["string", "null"] } })).toBe("(string | null)[]");
  expect(typeText({ const: "a" })).toBe('"a"');
  expect(typeText({ $ref: "#/$defs/Color" }, SCHEMA)).toBe('"red" | "blue"');
});
