import { expect, test } from "vitest";
import { createManualClock } from "../testing/index.ts";
import { createDeferredWrites } from "./deferred-writes.ts";

function kit() {
  const clock = createManualClock();
  const written: string[] = [];
  const logged: unknown[] = [];
  const later = createDeferredWrites({ clock, log: { log: (...words) => logged.push(words) } });
  const put = (key: string, text = key): void => later.put(key, async () => void written.push(text));
  return { clock, later, written, logged, put };
}

test("writes begin when nothing was asked for for a moment", async () => {
  const { clock, written, put } = kit();
  put("a");
  clock.advance(149);
  put("b");
  clock.advance(149);
  expect(written).toEqual([]);
  clock.advance(1);
  await Promise.resolve();
  expect(written).toEqual(["a", "b"]);
});

test("a rush without end holds them up for a second at most", async () => {
  const { clock, later, written, put } = kit();
  for (let round = 0; round < 19; round += 1) {
    put(`${round}`);
    clock.advance(50);
  }
  expect(written).toEqual([]);
  put("last");
  clock.advance(50);
  await later.done();
  expect(written).toHaveLength(20);
  clock.advance(10_000);
  expect(written).toHaveLength(20);
});

test("of two with one key that were not begun, the last is done", async () => {
  const { later, written, put } = kit();
  put("a", "old");
  put("b");
  put("a", "new");
  await later.done();
  expect(written).toEqual(["new", "b"]);
});

test("of two with one key, the second waits for the first that was begun", async () => {
  const { clock, later, written, put } = kit();
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => void (resolve = done));
  later.put("a", async () => {
    await promise;
    written.push("slow");
  });
  clock.advance(150);
  put("a", "quick");
  const done = later.done();
  resolve();
  await done;
  expect(written).toEqual(["slow", "quick"]);
});

test("what was dropped is not done, and what is under way is waited for", async () => {
  const { clock, later, written, put } = kit();
  put("a");
  await later.drop("a");
  await later.done();
  expect(written).toEqual([]);
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => void (resolve = done));
  later.put("a", () => promise.then(() => void written.push("begun")));
  clock.advance(150);
  const dropped = later.drop("a").then(() => written.push("dropped"));
  resolve();
  await dropped;
  expect(written).toEqual(["begun", "dropped"]);
});

test("a write that fails is logged, and the others are done", async () => {
  const { later, written, logged, put } = kit();
  later.put("a", async () => {
    throw new Error("the disk is full");
  });
  put("b");
  await later.done();
  expect(written).toEqual(["b"]);
  expect(logged).toEqual([["warn", "state.unwritable", { what: "a", error: "the disk is full" }]]);
});

test("what a write asks for in turn is waited for as well", async () => {
  const { later, written, put } = kit();
  later.put("a", async () => put("b"));
  await later.done();
  expect(written).toEqual(["b"]);
});

test("of a thousand, a few are under way at a time, and what was not begun can still be dropped", async () => {
  const { clock, later } = kit();
  let [running, most, done] = [0, 0, 0];
  for (let index = 0; index < 1_000; index += 1) {
    later.put(`${index}`, async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      done += 1;
    });
  }
  clock.advance(150);
  await later.drop("999");
  await later.done();
  expect({ most, done }).toEqual({ most: 16, done: 999 });
});
