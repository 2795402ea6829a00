import { expect, test } from "vitest";
import { countedList } from "../../test/support/counted-list.ts";
import { createFakeConnection } from "../../test/support/fake-connection.ts";
import type { JsonObject } from "../model/index.ts";
import { toCachedTexts } from "./cached-catalog.ts";
import { CATALOG_KINDS, type Catalog, problemsOf, readCatalog } from "./catalog.ts";
import { parsePrompt, parseResource, parseResourceTemplate, parseTool } from "./parse-items.ts";

test.each(["inputSchema", "outputSchema"])("a tool with a huge %s is kept without its schemas", (field) => {
  const { list, visits } = countedList(1_000_000);
  const schema = { type: "object", properties: { a: { enum: list } } };
  const parsed = parseTool({ name: "a", description: "b", inputSchema: { type: "object" }, [field]: schema });
  expect(parsed).toMatchObject({
    item: { name: "a", description: "b", inputSchema: { "x-plugboard-left-out": "too large" } },
  });
  expect(JSON.stringify(parsed).length).toBeLessThan(300);
  expect(visits()).toBeLessThan(100_000);
});

test("a long description and title are truncated", () => {
  const long = "x".repeat(1_000_000);
  const parsed = parseTool({ name: "a", title: long, description: long });
  expect(JSON.stringify(parsed).length).toBeLessThan(200_000);
});

const LONG = "x".repeat(60_000);
const weightOf = (parsed: object): number => ("weight" in parsed ? Number(parsed.weight) : 0);

test.each<[string, number]>([
  ["a tool's annotations", weightOf(parseTool({ name: "a", annotations: { title: LONG } }))],
  ["a tool's title", weightOf(parseTool({ name: "a", title: LONG }))],
  ["a resource's type", weightOf(parseResource({ uri: "a", mimeType: LONG }))],
  ["a template's title", weightOf(parseResourceTemplate({ uriTemplate: "a", title: LONG }))],
  ["a prompt's description", weightOf(parsePrompt({ name: "a", description: LONG }))],
  [
    "what an argument means",
    weightOf(parsePrompt({ name: "a", arguments: [{ name: "b", description: LONG }] })),
  ],
  [
    "a thousand short arguments",
    weightOf(parsePrompt({ name: "a", arguments: Array.from({ length: 1_000 }, () => ({ name: "a" })) })) * 2,
  ],
])("the weight of %s counts", (_, weight) => {
  expect(weight).toBeGreaterThan(60_000);
});

/** An endless list with pages of one megabyte. */
const endless = (method: string, { cursor = "0" }: JsonObject): JsonObject => {
  const ids = Array.from({ length: 16 }, (_, at) => `${String(cursor)}-${at}`);
  const nextCursor = String(Number(cursor) + 1);
  if (method === "tools/list") return { tools: ids.map((name) => ({ name, description: LONG })), nextCursor };
  if (method === "prompts/list") return { prompts: ids.map((name) => ({ name, title: LONG })), nextCursor };
  if (method === "resources/list") return { resources: ids.map((uri) => ({ uri, title: LONG })), nextCursor };
  return { resourceTemplates: ids.map((uriTemplate) => ({ uriTemplate, title: LONG })), nextCursor };
};
const readEndless = (): Promise<Catalog> =>
  readCatalog(createFakeConnection(endless, CATALOG_KINDS), {
    kinds: CATALOG_KINDS,
    timeoutMs: 1_000,
    now: () => 5,
    elapsed: () => 5,
    before: undefined,
  });

test("all lists of a server are kept up to 20 million characters in total, and a problem is reported", async () => {
  const catalog = await readEndless();
  const { tools, resources, resourceTemplates, prompts } = catalog;
  const lengths = [tools, resources, resourceTemplates, prompts].map((list) => JSON.stringify(list).length);
  expect(lengths.map((length) => Math.round(length / 1_000_000))).toEqual([8, 8, 2, 2]);
  expect(problemsOf(catalog).map(({ message }) => message)).toEqual([
    `server "files": its list of tools is too large; the first ${tools.length} are used`,
    `server "files": its list of resources is too large; the first ${resources.length} are used`,
    `server "files": its list of resource templates is too large; the first ${resourceTemplates.length} are used`,
    `server "files": its list of prompts is too large; the first ${prompts.length} are used`,
  ]);
});

test("lists that are too large to be read quickly at the next start are not cached", async () => {
  const catalog = await readEndless();
  expect(await toCachedTexts(catalog)).toBeUndefined();
  const both = { ...catalog, tools: catalog.tools.slice(0, 70), resources: catalog.resources.slice(0, 70) };
  expect(await toCachedTexts(both)).toBeUndefined();
  const few = {
    ...catalog,
    tools: [],
    prompts: catalog.prompts.slice(0, 3),
    resources: [],
    resourceTemplates: [],
  };
  expect(await toCachedTexts(few)).toMatchObject({ tools: "[]" });
});
