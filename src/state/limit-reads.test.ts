import { expect, test } from "vitest";
import type { Clock } from "../platform/index.ts";
import { limitReads } from "./limit-reads.ts";
import type { PinStore } from "./stores.ts";

const KEY = { principal: "", fingerprint: "f" };

/** A clock that stands still until it is advanced. */
function createManualClock(): Clock & { advance(ms: number): void } {
  let now = 0;
  const timers = new Map<() => void, number>();
  return {
    now: () => now,
    after(ms, run) {
      timers.set(run, now + ms);
      return () => void timers.delete(run);
    },
    advance(ms) {
      now += ms;
      for (const [run, at] of timers) if (at <= now && timers.delete(run)) run();
    },
  };
}

test("an entry is read again when the read that took too long ends, or after ten seconds", async () => {
  const clock = createManualClock();
  const reads: ((text: string) => void)[] = [];
  const store: PinStore = {
    get: () => new Promise((resolve) => void reads.push(resolve)),
    set: async () => {},
  };
  const limited = limitReads(store, clock);
  const late = { message: "it did not respond within 1 s" };
  const first = limited.get(KEY);
  clock.advance(1_000);
  await expect(first).rejects.toMatchObject(late);
  await expect(limited.get(KEY)).rejects.toMatchObject(late);
  expect(reads).toHaveLength(1);
  clock.advance(10_000);
  const second = limited.get(KEY);
  clock.advance(1_000);
  await expect(second).rejects.toMatchObject(late);
  reads[1]?.("pins");
  await new Promise((resolve) => setImmediate(resolve));
  const third = limited.get(KEY);
  reads[2]?.("pins");
  expect(await third).toBe("pins");
  expect(reads).toHaveLength(3);
});
