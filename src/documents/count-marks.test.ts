import { expect, test } from "vitest";
import { countMarks } from "./count-marks.ts";

test.each([
  ["json", '{"a": [1, 2], "b": {}}', 7],
  ["json", "[[[[", 4],
  ["toml", "a.b = [1, 2]\n[c]\n", 7],
  ["yaml", "a: &x [1]\nb: *x\n", 8],
  ["yaml", "", 0],
] as const)("counts what begins or separates values in %s: %j", (format, text, count) => {
  expect(countMarks(text, format)).toBe(count);
});

test("characters that are not ASCII are not marks", () => {
  expect(countMarks("ä\u{1f600}\uffff：", "yaml")).toBe(0);
});
