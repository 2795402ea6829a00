import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkNewEntry, checkNewName } from "./check-new.ts";

test.each(["a", "A1", "my-server", "my_server", "my.server", "...", "-", "x".repeat(100), "toString"])(
  "the name %j is valid",
  (name) => {
    expect(checkNewName(name)).toBeUndefined();
  },
);

test("no other names are valid", () => {
  const reserved = [".", "..", "__proto__", "constructor", "prototype"];
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom(...reserved, "x".repeat(101))), (name) => {
      const isFine = /^[a-zA-Z0-9_.-]{1,100}$/.test(name) && !reserved.includes(name);
      expect(checkNewName(name) === undefined).toBe(isFine);
    }),
  );
});

test("all problems of an entry are returned together, without its position", () => {
  expect(checkNewEntry("x", { type: "http", command: "a", timeout: "soon", colour: 1 })).toEqual([
    'http server requires "url" field',
    '"timeout" must be a number of milliseconds',
    '"colour" is not a known field',
  ]);
});

test("a valid entry has no problems", () => {
  expect(
    checkNewEntry("x", { type: "stdio", command: "a", args: ["b"], env: { A: "1" }, timeout: 1 }),
  ).toEqual([]);
});
