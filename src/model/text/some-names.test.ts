import { expect, test } from "vitest";
import { someNames } from "./some-names.ts";

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `t${index}`);

test("names up to twelve, and says how many more there are", () => {
  expect(someNames(names(2))).toBe("t0, t1");
  expect(someNames(names(12))).toBe(names(12).join(", "));
  expect(someNames(names(14))).toBe(`${names(12).join(", ")} and 2 more`);
});
