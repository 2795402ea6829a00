import { expect, test } from "vitest";
import { encodeHeaderValue, headerParameters, parameterHeaders, routingHeaders } from "./request-headers.ts";

test.each([
  ["tools/call", { name: "read" }, { "mcp-method": "tools/call", "mcp-name": "read" }],
  ["resources/read", { uri: "file:///a" }, { "mcp-method": "resources/read", "mcp-name": "file:///a" }],
  ["tools/list", {}, { "mcp-method": "tools/list" }],
  ["constructor", { name: "x" }, { "mcp-method": "constructor" }],
])("a %s request can be routed by its headers", (method, params, headers) => {
  expect(routingHeaders(method, params)).toEqual(headers);
});

test.each([
  ["plain", "plain"],
  ["", "=?base64??="],
  [" edge", "=?base64?IGVkZ2U=?="],
  ["é", "=?base64?w6k=?="],
  ["a\r\nx: y", "=?base64?YQ0KeDogeQ==?="],
  ["=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
])("%j is encoded as a safe header value", (text, value) => {
  expect(encodeHeaderValue(text)).toBe(value);
});

test("marked arguments are repeated in headers", () => {
  const schema = {
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      deep: { properties: { count: { type: "integer", "x-mcp-header": "Count" } } },
      absent: { type: "boolean", "x-mcp-header": "Absent" },
    },
  };
  const marks = headerParameters(schema);
  expect(
    "parameters" in marks && parameterHeaders(marks.parameters, { region: "eu", deep: { count: 3 } }),
  ).toEqual({
    "mcp-param-region": "eu",
    "mcp-param-count": "3",
  });
});

test.each([
  ["a header name with a space", { properties: { a: { type: "string", "x-mcp-header": "a b" } } }],
  ["an empty name", { properties: { a: { type: "string", "x-mcp-header": "" } } }],
  ["an object", { properties: { a: { type: "object", "x-mcp-header": "A" } } }],
  ["the whole", { type: "string", "x-mcp-header": "A" }],
  [
    "an item of a list",
    { properties: { a: { type: "array", items: { type: "string", "x-mcp-header": "A" } } } },
  ],
  [
    "two under one name",
    {
      properties: { a: { type: "string", "x-mcp-header": "A" }, b: { type: "string", "x-mcp-header": "a" } },
    },
  ],
])("a tool that marks %s is invalid", (_, schema) => {
  expect(headerParameters(schema)).toHaveProperty("wrong");
});

test.each(["items", "not", "additionalProperties", "anyOf", "$defs", "patternProperties", "properties"])(
  "schemas nested by %s are visited once each",
  (keyword) => {
    const inMap = ["$defs", "patternProperties", "properties"].includes(keyword);
    let looks = 0;
    const counted = (schema: object): object =>
      new Proxy(schema, {
        get(target, key) {
          if (key === "x-mcp-header") looks += 1;
          return Reflect.get(target, key) as unknown;
        },
      });
    let schema = counted({ type: "string" });
    for (let level = 0; level < 20; level += 1)
      schema = counted({ [keyword]: keyword === "anyOf" ? [schema] : inMap ? { a: schema } : schema });
    expect(headerParameters(schema as Parameters<typeof headerParameters>[0])).toEqual({ parameters: [] });
    expect(looks).toBe(21);
  },
);

test("a mark in data is ignored", () => {
  const schema = { properties: { a: { type: "object", default: { "x-mcp-header": "A" } } } };
  expect(headerParameters(schema)).toEqual({ parameters: [] });
});

test.each(["$defs", "definitions", "dependentSchemas", "patternProperties"])(
  "a mark below %s is invalid",
  (keyword) => {
    const schema = { [keyword]: { a: { type: "string", "x-mcp-header": "A" } } };
    expect(headerParameters(schema)).toHaveProperty("wrong");
  },
);
