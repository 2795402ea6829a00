import { expect, test } from "vitest";
import { LONGEST_MS, reportTests } from "../durability/counts.ts";
import { runIsolation } from "./isolation.ts";

reportTests("hundreds of random operations of two people of a team, none of which reached the other");

test.each([1, 2, 3, 4, 5])("100 operations, seed %i", { timeout: LONGEST_MS }, async (seed) => {
  expect((await runIsolation(100, seed)).leaks).toEqual([]);
});
