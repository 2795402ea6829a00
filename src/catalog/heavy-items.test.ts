import { expect, test } from "vitest";
import { countedList } from "../../test/support/counted-list.ts";
import { parseTool } from "./parse-items.ts";

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

test("a long description and title are cut", () => {
  const long = "x".repeat(1_000_000);
  const parsed = parseTool({ name: "a", title: long, description: long });
  expect(JSON.stringify(parsed).length).toBeLessThan(200_000);
});
