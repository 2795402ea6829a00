import { expect, test } from "vitest";
import { countedList } from "../../../test/support/counted-list.ts";
import type { JsonObject, JsonValue } from "../../model/index.ts";
import { ToolHeaders } from "./tool-headers.ts";

const FIRST = { isFirstPage: true };
const NEXT = { isFirstPage: false };
const MARKED: JsonObject = {
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": "Region" } },
};
const marked = (name: string): JsonObject => ({ name, inputSchema: MARKED });
const isKnown = (headers: ToolHeaders, name: string): boolean =>
  headers.headersFor({ name, arguments: { region: "eu" } }) !== undefined;

test("a schema that is too large is not searched for headers", async () => {
  const { list, visits } = countedList(1_000_000);
  const inputSchema: JsonObject = { type: "object", anyOf: list as JsonValue[] };
  const { tools } = await new ToolHeaders().learn({ tools: [{ name: "a", inputSchema }] }, FIRST);
  expect(tools).toHaveLength(1);
  expect(visits()).toBeLessThan(100_000);
});

test("the tools of all pages are known, and those of the previous list until a new list names them", async () => {
  const headers = new ToolHeaders();
  await headers.learn({ tools: [marked("a")] }, FIRST);
  await headers.learn({ tools: [marked("b")] }, NEXT);
  expect(["a", "b"].map((name) => isKnown(headers, name))).toEqual([true, true]);
  await headers.learn({ tools: [marked("c")] }, FIRST);
  expect(["a", "b", "c"].map((name) => isKnown(headers, name))).toEqual([true, true, true]);
});

test("a tool that loses its marks is forgotten, and so is a tool that is missing from two lists", async () => {
  const headers = new ToolHeaders();
  await headers.learn({ tools: [marked("a"), marked("b")] }, FIRST);
  await headers.learn({ tools: [{ name: "a", inputSchema: {} }] }, FIRST);
  expect(["a", "b"].map((name) => isKnown(headers, name))).toEqual([false, true]);
  await headers.learn({ tools: [] }, FIRST);
  expect(isKnown(headers, "b")).toBe(false);
});

test("a tool that is listed again without marks in the same list is forgotten", async () => {
  const headers = new ToolHeaders();
  await headers.learn({ tools: [marked("a"), { name: "a", inputSchema: {} }] }, FIRST);
  expect(isKnown(headers, "a")).toBe(false);
});

test("a name that is too long is not kept", async () => {
  const headers = new ToolHeaders();
  const names = ["a".repeat(1_024), "a".repeat(1_025)];
  await headers.learn({ tools: names.map(marked) }, FIRST);
  expect(names.map((name) => isKnown(headers, name))).toEqual([true, false]);
});

test.each([
  ["names", (index: number) => marked(`${index}-${"n".repeat(1_000)}`), 20_000],
  [
    "marks",
    (index: number) => {
      const properties = Object.fromEntries(
        Array.from({ length: 500 }, (_, at) => [
          `${"p".repeat(500)}${at}`,
          { type: "string", "x-mcp-header": `H${at}` },
        ]),
      );
      return { name: String(index), inputSchema: { type: "object", properties } };
    },
    50,
  ],
])("the weight of all %s that are kept is limited", async (_, toolAt, count) => {
  const headers = new ToolHeaders();
  const tools = Array.from({ length: count }, (__, index) => toolAt(index));
  for (let page = 0; page < 10; page += 1)
    await headers.learn(
      { tools: tools.slice((page * count) / 10, ((page + 1) * count) / 10) },
      { isFirstPage: page === 0 },
    );
  const known = tools.filter(({ name }) => isKnown(headers, String(name)));
  expect(known.length).toBeGreaterThan(0);
  expect(JSON.stringify(known).length).toBeLessThan(10_000_000);
  expect(known.length).toBeLessThan(count);
});
