import { expect, test } from "vitest";
import { isAnswering, whileAnswering } from "./answering-context.ts";

test("work that answers a server is recognized, even after an await", async () => {
  const seen = await whileAnswering(async () => {
    const before = isAnswering();
    await new Promise((resolve) => setImmediate(resolve));
    return [before, isAnswering()];
  });
  expect(seen).toEqual([true, true]);
});

test("other work is not mistaken for an answer, even while one is in progress", async () => {
  expect(isAnswering()).toBe(false);
  const answering = whileAnswering(() => new Promise((resolve) => setImmediate(resolve)));
  expect(isAnswering()).toBe(false);
  await answering;
});
