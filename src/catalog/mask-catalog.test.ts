import { expect, test } from "vitest";
import { Redactor, type ToolDefinition } from "../model/index.ts";
import type { Catalog } from "./catalog.ts";
import { maskCatalog } from "./mask-catalog.ts";

const SECRET = "hunter2-hunter2-hunter2";
const READING = { readAt: 0, ttlMs: undefined, problems: [] };
const catalogOf = (tool: ToolDefinition): Catalog => ({
  tools: [tool],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  instructions: undefined,
  readings: { tools: READING, resources: READING, prompts: READING },
});
const masked = async (tool: ToolDefinition): Promise<ToolDefinition | undefined> => {
  const redactor = new Redactor();
  redactor.add(SECRET);
  return (await maskCatalog(catalogOf(tool), redactor.maskLongValues())).tools[0];
};

test.each([
  ["a property's name", { properties: { [SECRET]: { type: "string" } }, required: [SECRET] }],
  ["a property's name inside of another", { properties: { a: { properties: { [`x_${SECRET}`]: {} } } } }],
  ["a definition's name in capitals", { $defs: { [SECRET.toUpperCase()]: {} } }],
  ["a property's name in base64", { properties: { [Buffer.from(SECRET).toString("base64")]: {} } }],
  ["a value", { properties: { a: { const: SECRET } } }],
])("a secret is masked in a tool's schema as %s", async (_, inputSchema) => {
  const tool = await masked({ name: "a", inputSchema });
  expect(tool?.name).toBe("a");
  expect(JSON.stringify(tool)).toContain("[secret]");
  expect(JSON.stringify(tool)).not.toMatch(/hunter2|aHVudGVyMi1odW50ZXIy/i);
});

test("a tool without a secret stays the same object", async () => {
  const tool = { name: "a", inputSchema: { properties: { "a-property-of-some-length": {} } } };
  expect(await masked(tool)).toBe(tool);
});
