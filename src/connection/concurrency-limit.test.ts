import { expect, test } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

test("an action that is aborted just before its turn does not run, but the next one does", async () => {
  // Starting an action takes several microtasks. The signal aborts after each of them once.
  for (let turns = 0; turns < 8; turns += 1) {
    const withTurn = createConcurrencyLimit(() => 1);
    const acted: string[] = [];
    const leaves = new AbortController();
    let finishFirst = (): void => {};
    const first = withTurn(
      new AbortController().signal,
      () => new Promise<void>((done) => (finishFirst = done)),
    );
    const second = withTurn(leaves.signal, async () => {
      acted.push(leaves.signal.aborted ? "after it left" : "second");
    });
    const third = withTurn(new AbortController().signal, async () => void acted.push("third"));
    finishFirst();
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    leaves.abort(new Error("left"));
    await Promise.allSettled([first, second, third]);
    expect(acted).not.toContain("after it left");
    expect(acted).toContain("third");
  }
});

test("a limited number of actions run at a time, in order", async () => {
  const withTurn = createConcurrencyLimit(() => 2);
  const { signal } = new AbortController();
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const all = [1, 2, 3, 4].map((number) =>
    withTurn(signal, () => {
      started.push(number);
      return new Promise<void>((done) => finish.push(done));
    }),
  );
  expect(started).toEqual([1, 2]);
  finish[1]?.();
  await all[1];
  await Promise.resolve();
  expect(started).toEqual([1, 2, 3]);
  finish[0]?.();
  finish[2]?.();
  await Promise.all([all[0], all[2]]);
  await Promise.resolve();
  expect(started).toEqual([1, 2, 3, 4]);
  finish[3]?.();
  await Promise.all(all);
});

test("an action that works outside its turn lets another run, and waits for a turn to continue", async () => {
  const withTurn = createConcurrencyLimit(() => 1);
  const { signal } = new AbortController();
  const order: string[] = [];
  let finish = (): void => {};
  const work = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const first = withTurn(signal, async (outsideTurn) => {
    await outsideTurn(() => work);
    order.push("first goes on");
  });
  await withTurn(signal, async () => {
    order.push("second");
    finish();
    await work;
    order.push("second ends");
  });
  await first;
  expect(order).toEqual(["second", "second ends", "first goes on"]);
});

test("an action that is aborted outside its turn does not block others", async () => {
  const withTurn = createConcurrencyLimit(() => 1);
  const abort = new AbortController();
  const failed = withTurn(abort.signal, (outsideTurn) =>
    outsideTurn(async () => abort.abort(new Error("stopped"))),
  );
  await expect(failed).rejects.toThrow("stopped");
  const never = new AbortController().signal;
  expect(await Promise.all([1, 2, 3].map((value) => withTurn(never, async () => value)))).toEqual([1, 2, 3]);
});
