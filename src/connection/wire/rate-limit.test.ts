import { expect, test } from "vitest";
import { createManualClock } from "../../testing/index.ts";
import { createRateLimit } from "./rate-limit.ts";

test("a limited number of events is allowed per time window", () => {
  const clock = createManualClock();
  const mayPass = createRateLimit(clock, 2, 100);
  expect([mayPass(), mayPass(), mayPass()]).toEqual([true, true, false]);
  clock.advance(99);
  expect(mayPass()).toBe(false);
  clock.advance(1);
  expect([mayPass(), mayPass(), mayPass()]).toEqual([true, true, false]);
});

test("each event counts for one time window", () => {
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
