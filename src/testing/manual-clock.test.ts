import { describe, expect, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";

describe("a manual clock", () => {
  test("runs due timers in order, at their time", () => {
    const clock = createManualClock(100);
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(`${name} at ${clock.now()}`);
    clock.after(30, note("late"));
    clock.after(10, note("early"));
    clock.after(10, note("as early"));
    clock.after(31, note("never"));
    clock.advance(30);
    expect([ran, clock.now()]).toEqual([["early at 110", "as early at 110", "late at 130"], 130]);
  });

  test("does not run cancelled timers", () => {
    const clock = createManualClock();
    const ran: string[] = [];
    const callOff = clock.after(10, () => ran.push("called off"));
    clock.after(5, callOff);
    clock.advance(100);
    expect(ran).toEqual([]);
  });

  test("runs timers that are set during an advance if they are due", () => {
    const clock = createManualClock();
    const ran: number[] = [];
    const again = (): void => {
      ran.push(clock.now());
      clock.after(10, again);
    };
    clock.after(10, again);
    clock.advance(35);
    expect(ran).toEqual([10, 20, 30]);
  });
});
