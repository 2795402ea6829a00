import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isHuge } from "../model/index.ts";
import { parseJsonInSlices, TooManyValuesError } from "./parse-json-in-slices.ts";

/** Returns the value, or the error that was thrown. */
const outcome = async (parse: () => unknown): Promise<unknown> => {
  try {
    return { value: await parse() };
  } catch (error) {
    return (error as Error).name;
  }
};
const spaced = (text: string): string =>
  text.replaceAll(/([[\]{},:])(?=(?:[^"]*"[^"]*")*[^"]*$)/g, " \n\t\r$1 ");

test("everything that JSON.parse accepts is accepted", async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 5 }), async (text) => {
      expect(await parseJsonInSlices(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test("everything that JSON.parse rejects is rejected", async () => {
  const texts = fc.oneof(
    fc
      .array(fc.constantFrom(...'{}[]",:\\ 01-.eEtrufalsn\u0001\ud800'), { maxLength: 12 })
      .map((characters) => characters.join("")),
    fc.tuple(fc.json(), fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
    fc.tuple(fc.json(), fc.constantFrom(...'{}[],:"x')).map(([text, more]) => text + more),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      expect(await outcome(() => parseJsonInSlices(text))).toEqual(await outcome(() => JSON.parse(text)));
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ["white space everywhere", spaced('{"a":[1,{"b":"c"}],"d":{}}')],
  ["escapes and escaped backslashes", String.raw`["\\","\"","\\\"","\u0041\ud83d\ude00","a\\\\\\"]`],
  ["a repeated member", '{"a":1,"a":2}'],
  ["numbers of every kind", "[0,-0,1e3,1E-2,1.5e+300,1e999,123456789012345678901234567890]"],
])("%s is parsed", async (_, text) => {
  expect(await parseJsonInSlices(text)).toEqual(JSON.parse(text));
});

test("a member called __proto__ is treated like any other", async () => {
  const value = (await parseJsonInSlices('{"__proto__":{"polluted":true}}')) as object;
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test.each([
  ["many small values", `[${"[],".repeat(100_000)}0]`, 10],
  ["many members", `{${Array.from({ length: 50_000 }, (_, index) => `"p${index}":{}`).join(",")}}`, 5],
  ["long strings", `[${`"${"x".repeat(64_000)}",`.repeat(100)}0]`, 10],
])("%s are parsed in several turns", async (_, text, least) => {
  let turns = 0;
  await parseJsonInSlices(text, {
    turn: async () => {
      turns += 1;
    },
  });
  expect(turns).toBeGreaterThanOrEqual(least);
});

test("more than a million values are rejected", async () => {
  await expect(parseJsonInSlices(`[${"1,".repeat(1_000_001)}1]`)).rejects.toBeInstanceOf(TooManyValuesError);
});

test("an object with a huge number of members is marked as huge", async () => {
  const object = (members: number): string =>
    `{${Array.from({ length: members }, (_, index) => `"p${index}":1`).join(",")}}`;
  const [small, large] = (await parseJsonInSlices(`[${object(10_000)},${object(30_000)}]`)) as object[];
  expect([isHuge(small ?? {}), isHuge(large ?? {})]).toEqual([false, true]);
});

test("a hundred thousand levels do not overflow the stack", async () => {
  const levels = 100_000;
  let value = await parseJsonInSlices("[".repeat(levels) + "]".repeat(levels));
  let depth = 0;
  while (Array.isArray(value)) {
    value = value[0];
    depth += 1;
  }
  expect(depth).toBe(levels);
});

test.each([
  ["escaped quotes", '\\"'],
  ["backslashes", "\\\\"],
  ["escaped characters", "\\ud83d\\ude00a"],
  ["letters", "abc"],
])("one long string of %s is parsed completely in several turns", async (_, piece) => {
  const text = `{"a":["${piece.repeat(Math.ceil(3_000_000 / piece.length))}",1]}`;
  let turns = 0;
  const value = await parseJsonInSlices(text, {
    turn: async () => {
      turns += 1;
    },
  });
  expect(JSON.stringify(value) === JSON.stringify(JSON.parse(text))).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(4);
});

test.each([
  ["never ends", `["${"a".repeat(600_000)}`],
  ["ends in an escape", `["${"a".repeat(600_000)}\\`],
  ["contains an invalid escape", `["${"a".repeat(600_000)}\\x"]`],
  ["contains an incomplete escape", `["${"a".repeat(600_000)}\\u12"]`],
  ["contains a line break", `["${"a".repeat(600_000)}\n"]`],
])("a long string that %s is rejected", async (_, text) => {
  await expect(parseJsonInSlices(text)).rejects.toBeInstanceOf(SyntaxError);
});

test("short objects with long strings are parsed in several turns", async () => {
  const text = `[${Array.from({ length: 500 }, () => `{"a":"${"\\n".repeat(3_000)}"}`).join(",")}]`;
  let turns = 0;
  await parseJsonInSlices(text, {
    turn: async () => {
      turns += 1;
    },
  });
  expect(turns).toBeGreaterThanOrEqual(4);
});

test("a key of a megabyte is rejected", async () => {
  const text = `{"${"k".repeat(1024 * 1024)}":1}`;
  await expect(parseJsonInSlices(text)).rejects.toBeInstanceOf(TooManyValuesError);
});
