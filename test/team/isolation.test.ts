import { expect, test } from "vitest";
import { runIsolation } from "./isolation.ts";

test("no data of one person reaches another, even with the other person's ids", async () => {
  const { foreign, leaks } = await runIsolation(80, 7);
  expect(foreign).toBeGreaterThan(10);
  expect(leaks).toEqual([]);
});
