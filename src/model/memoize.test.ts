import { expect, test } from "vitest";
import { memoize } from "./memoize.ts";

test("a memoized function runs once per object", () => {
  let runs = 0;
  const sizeOf = memoize((list: readonly unknown[]) => {
    runs += 1;
    return list.length;
  });
  const list: readonly unknown[] = [];
  expect([sizeOf(list), sizeOf(list)]).toEqual([0, 0]);
  expect(runs).toBe(1);
});

test("equal objects are treated as different arguments", () => {
  const copyOf = memoize((object: { readonly a: number }) => ({ ...object }));
  const first = { a: 1 };
  expect(copyOf(first)).toBe(copyOf(first));
  expect(copyOf({ a: 1 })).not.toBe(copyOf(first));
});

test("a result that is false, zero or empty is cached", () => {
  for (const result of [false, 0, ""]) {
    let runs = 0;
    const run = memoize(() => {
      runs += 1;
      return result;
    });
    const key = {};
    expect([run(key), run(key)]).toEqual([result, result]);
    expect(runs).toBe(1);
  }
});

test("a call that throws is not cached", () => {
  let runs = 0;
  const run = memoize(() => {
    runs += 1;
    if (runs === 1) throw new Error("failed");
    return runs;
  });
  const key = {};
  expect(() => run(key)).toThrow("failed");
  expect(run(key)).toBe(2);
});

test("a memoized function can call itself", () => {
  interface Node {
    readonly children: readonly Node[];
  }
  const depthOf: (node: Node) => number = memoize(
    ({ children }: Node) => 1 + Math.max(0, ...children.map((child) => depthOf(child))),
  );
  expect(depthOf({ children: [{ children: [] }, { children: [{ children: [] }] }] })).toBe(3);
});
