import { expect, test } from "vitest";
import { firstPageOf, pageOf } from "../merge/page.ts";
import { prepareText } from "./prepared-text.ts";
import { toText } from "./to-text.ts";

const items = ["a", "b"].map((name) => ({ key: name, value: { name, title: `"${name}"\u2028` } }));

test("a list whose JSON is cached is sent like any other", () => {
  const { values, text = "" } = pageOf(items, undefined);
  for (const rest of [{}, { nextCursor: "x" }, { ttlMs: 0, _meta: { tools: 1 } }])
    for (const id of [7, 'quote"']) {
      const result = { tools: values, ...rest };
      prepareText(result, "tools", text);
      expect(JSON.parse(toText({ jsonrpc: "2.0", id, result }))).toEqual({ jsonrpc: "2.0", id, result });
    }
});

test("an empty list is sent", () => {
  const { values, text = "" } = pageOf([], undefined);
  const result = { tools: values };
  prepareText(result, "tools", text);
  expect(toText({ jsonrpc: "2.0", id: 1, result })).toBe('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
});

test("an item that is nested too deeply is not converted in advance", () => {
  let deep = {};
  for (let level = 0; level < 10_000; level += 1) deep = { deep };
  expect(pageOf([{ key: "a", value: deep }], undefined)).toMatchObject({ text: undefined });
});

test("a page ends before it is too large, and its cursor continues after it", () => {
  const first = pageOf(items, undefined, 10);
  expect(first.text).toBe(JSON.stringify([items[0]?.value]));
  expect(pageOf(items, first.nextCursor, 10)).toEqual({
    values: [items[1]?.value],
    text: JSON.stringify([items[1]?.value]),
  });
});

test("the same list has the same first page, and another list has its own", () => {
  expect(firstPageOf(items)).toBe(firstPageOf(items));
  expect(firstPageOf(items)).toEqual(pageOf(items, undefined));
  expect(firstPageOf([...items, { key: "c", value: { name: "c" } }]).values).toHaveLength(3);
});
