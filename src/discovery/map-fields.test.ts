import { expect, test } from "vitest";
import { inputIdsIn } from "./map-fields.ts";

test("the ids of inputs are found, each once", () => {
  const fields = { args: ["${input:a}", "x-${input:b c}-${input:a}"], env: { A: "${input:d}" } };
  expect(inputIdsIn(fields)).toEqual(["a", "b c", "d"]);
});

test("a long sequence of unterminated placeholders is read in linear time", () => {
  expect(inputIdsIn({ args: ["${input:".repeat(120_000), "${input:a}"] })).toEqual(["a"]);
});
