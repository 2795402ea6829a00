import { describe, expect, test } from "vitest";
import { isCallable } from "../../bench/search/callable.mjs";
import { classify } from "../../bench/search/request-class.mjs";

const TOOLS = [
  {
    server: "harbor",
    tool: "delete_folder",
    title: "Remove",
    description: "Deletes a folder and its files. Works only for owners.",
  },
  { server: "harbor", tool: "zap", description: "Empties the bin." },
];
const areSynonyms = (one: string, other: string): boolean =>
  [one, other].includes("erase") && [one, other].includes("delete");

test.each([
  ["delete my folders", "words"],
  ["deletion of everything", "words"],
  ["what is in Harbor", "words"],
  ["erase it", "synonyms"],
  ["make it vanish", "none-shared"],
  ["am I the owner", undefined],
])("the request %j has the class %s", (text, expected) => {
  expect(classify(text, TOOLS, areSynonyms).class).toBe(expected);
});

describe("a search result is enough to call a tool", () => {
  const schema = (...properties: [string, object][]): object => ({
    type: "object",
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
  });
  const address = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const level = { enum: ["low", "high"] };

  test.each([
    ["a plain text", schema(["x", { type: "string" }]), "", true],
    ["a choice that is not told", schema(["x", level]), "string", false],
    ["a choice", schema(["x", level]), '"low"|"high"', true],
    ["a list that is not told", schema(["x", { type: "array", items: { type: "string" } }]), "", false],
    ["a list", schema(["x", { type: "array", items: { type: "string" } }]), "string[]", true],
    ["an object that is not told", schema(["x", address]), "object", false],
    ["an object", schema(["x", address]), "{city: string}", true],
    ["a reference", { ...schema(["x", { $ref: "#/$defs/a" }]), $defs: { a: address } }, "object", false],
    ["a schema that refers to itself", { ...schema(["x", { $ref: "#/properties/x" }]) }, "object", false],
  ])("%s", (_, inputSchema, form, expected) => {
    expect(isCallable(inputSchema, [{ name: "x", form }])).toBe(expected);
  });

  test("not if it does not name a required parameter", () => {
    expect(isCallable(schema(["x", { type: "string" }]), [])).toBe(false);
  });
});
