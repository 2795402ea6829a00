import { expect, test } from "vitest";
import { createManualClock } from "../../testing/index.ts";
import { createRateLimit } from "./rate-limit.ts";

test("so many pass within the time given, and more when it is over", () => {
  const clock = createManualClock();
  const mayPass = createRateLimit(clock, 2, 100);
  expect([mayPass(), mayPass(), mayPass()]).toEqual([true, true, false]);
  clock.advance(99);
  expect(mayPass()).toBe(false);
  clock.advance(1);
  expect([mayPass(), mayPass(), mayPass()]).toEqual([true, true, false]);
});

test("each that passed counts for its own time", () => {
  const clock = createManualClock();
  const mayPass = createRateLimit(clock, 2, 100);
  mayPass();
  clock.advance(60);
  mayPass();
  clock.advance(40);
  expect([mayPass(), mayPass()]).toEqual([true, false]);
  clock.advance(60);
  expect([mayPass(), mayPass()]).toEqual([true, false]);
});
