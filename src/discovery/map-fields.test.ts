import { expect, test } from "vitest";
import { inputsNeeded } from "./map-fields.ts";

test("finds what a person is asked for, each id once", () => {
  const fields = { args: ["${input:a}", "x-${input:b c}-${input:a}"], env: { A: "${input:d}" } };
  expect(inputsNeeded(fields)).toEqual(["a", "b c", "d"]);
});

test("a long row of placeholders without an end is read once", () => {
  expect(inputsNeeded({ args: ["${input:".repeat(120_000), "${input:a}"] })).toEqual(["a"]);
});
