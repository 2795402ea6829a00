import { expect, test } from "vitest";
import { createPace, forEachYielding, mapYielding } from "./yielding.ts";

test("work without pauses lets other work run, and results keep their order", async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const items = Array.from({ length: 100 }, (_, index) => index);
  const seenAt: number[] = [];
  const doubled = await mapYielding(items, async (item) => {
    seenAt.push(turns);
    return item * 2;
  });
  clearImmediate(counting);
  expect(doubled).toEqual(items.map((item) => item * 2));
  expect(new Set(seenAt).size).toBeGreaterThan(1);
});

test("an early failure rejects the whole operation, without an unhandled rejection", async () => {
  const items = Array.from({ length: 50 }, (_, index) => index);
  const started: number[] = [];
  const all = mapYielding(items, async (item) => {
    started.push(item);
    if (item === 3) throw new Error("the third");
  });
  await expect(all).rejects.toThrow("the third");
  expect(started).toEqual(items);
});

test("a loop yields after a time for large items, and after a number of items for small ones", async () => {
  let time = 0;
  const countTurns = async (items: number, msEach: number): Promise<number> => {
    const pace = createPace(() => time);
    let turns = 0;
    const counting = (): Promise<void> | undefined => {
      const pause = pace();
      if (pause !== undefined) turns += 1;
      return pause;
    };
    const visit = (): boolean => {
      time += msEach;
      return true;
    };
    await forEachYielding(Array.from({ length: items }), visit, counting);
    return turns;
  };
  expect([await countTurns(10, 20), await countTurns(10, 5), await countTurns(1_000, 0)]).toEqual([9, 3, 3]);
});
