import { expect, test } from "vitest";
import { runIsolation } from "./isolation.ts";

test("nothing of one person reaches the other, whatever they use of each other", async () => {
  const { foreign, leaks } = await runIsolation(80, 7);
  expect(foreign).toBeGreaterThan(10);
  expect(leaks).toEqual([]);
});
