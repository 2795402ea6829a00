import { expect, test } from "vitest";
import { jsonWeight } from "./json-weight.ts";
import { parseTool } from "./parse-items.ts";

const LIMITS = { depth: 10, weight: 1_000 };

/** A list that counts how often it is looked into. */
function counted(length: number): { list: unknown[]; visits(): number } {
  let visits = 0;
  const list = new Proxy(
    Array.from({ length }, () => 1),
    {
      get(target, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) visits += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    },
  );
  return { list, visits: () => visits };
}

test("a value weighs its texts, its keys and a little for each part", () => {
  expect(jsonWeight({ ab: "cde", f: [1, null] }, LIMITS)).toBe(5 * 8 + 3 + 3);
});

test("what is too heavy is not visited to its end", () => {
  const { list, visits } = counted(1_000_000);
  expect(jsonWeight({ enum: list }, LIMITS)).toBe("heavy");
  expect(visits()).toBeLessThan(200);
});

test("what is nested too deeply is refused before the stack ends", () => {
  let value: unknown = {};
  for (let level = 0; level < 100_000; level += 1) value = [value];
  expect(jsonWeight(value, LIMITS)).toBe("deep");
});

test.each(["inputSchema", "outputSchema"])("a tool with a huge %s is kept without its schemas", (field) => {
  const { list, visits } = counted(1_000_000);
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
