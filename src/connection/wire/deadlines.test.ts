import { expect, test } from "vitest";
import type { Clock } from "../../platform/index.ts";
import { createManualClock } from "../../testing/index.ts";
import { type Deadline, Deadlines } from "./deadlines.ts";

interface Named extends Deadline {
  readonly name: string;
}

/** Deadlines on a manual clock, with every timer that was set. */
function watching() {
  const clock = createManualClock(1_000);
  const timers: { readonly ms: number; readonly background: boolean }[] = [];
  const counted: Clock = {
    now: clock.now,
    after(ms, callback, { background = false } = {}) {
      timers.push({ ms, background });
      return clock.after(ms, callback);
    },
  };
  const open = new Map<string, Named>();
  const due: string[] = [];
  const deadlines: Deadlines<Named> = new Deadlines(
    counted,
    () => open.values(),
    ({ name }) => {
      due.push(name);
      open.delete(name);
    },
  );
  const watch = (name: string, ms: number): void => {
    const one = { name, dueAt: deadlines.now() + ms };
    open.set(name, one);
    deadlines.watch(one);
  };
  return { clock, timers, open, due, deadlines, watch };
}

test("each deadline is reported when it is due, regardless of the order", () => {
  const { clock, due, watch } = watching();
  watch("late", 300);
  watch("early", 100);
  clock.advance(50);
  watch("between", 100);
  const seen = [99, 100, 149, 150, 299, 300].map((at) => {
    clock.advance(1_000 + at - clock.now());
    return [at, [...due]];
  });
  expect(seen).toEqual([
    [99, []],
    [100, ["early"]],
    [149, ["early"]],
    [150, ["early", "between"]],
    [299, ["early", "between"]],
    [300, ["early", "between", "late"]],
  ]);
});

test("a thousand deadlines use one timer, which does not keep the process alive", () => {
  const { clock, timers, open, due, watch } = watching();
  for (let count = 0; count < 1_000; count += 1) {
    watch("call", 30_000);
    clock.advance(5);
    open.delete("call");
  }
  expect(timers).toEqual([{ ms: 30_000, background: true }]);
  clock.advance(60_000);
  expect({ due, timers: timers.length }).toEqual({ due: [], timers: 1 });
});

test("an extended deadline is reported at its later time", () => {
  const { clock, open, due, watch } = watching();
  watch("call", 100);
  clock.advance(90);
  const call = open.get("call");
  if (call !== undefined) call.dueAt += 90;
  clock.advance(99);
  expect(due).toEqual([]);
  clock.advance(1);
  expect(due).toEqual(["call"]);
});

test("the monotonic time is preferred to the clock, which may be changed", () => {
  let elapsed = 0;
  let wake = (): void => {};
  const clock: Clock = {
    now: () => Math.random(),
    elapsed: () => elapsed,
    after(_, callback) {
      wake = callback;
      return () => {};
    },
  };
  const one = { dueAt: 100 };
  const due: Deadline[] = [];
  const deadlines = new Deadlines(
    clock,
    () => [one, { dueAt: 101 }],
    (each) => due.push(each),
  );
  deadlines.watch(one);
  elapsed = 99.5; // system timers may fire slightly early
  wake();
  expect(due).toEqual([one]);
});

test("stopped deadlines are not reported", () => {
  const { clock, due, deadlines, watch } = watching();
  watch("call", 100);
  deadlines.stop();
  clock.advance(1_000);
  expect(due).toEqual([]);
});

test("a deadline that is added after stopping is reported in time", () => {
  const { clock, due, deadlines, watch } = watching();
  watch("first", 100);
  deadlines.stop();
  watch("later", 200);
  clock.advance(200);
  expect(due).toEqual(["first", "later"]);
});

test("a timer is never set for a negative delay or one that is too long", () => {
  const { timers, clock, due, watch } = watching();
  watch("far", 2 ** 33);
  watch("past", -5);
  expect(timers.map(({ ms }) => ms)).toEqual([2 ** 31 - 1, 0]);
  clock.advance(0);
  expect(due).toEqual(["past"]);
});
