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

test("writes start after a short time without new writes", async () => {
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

test("constant new writes delay them for a second at most", async () => {
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

test("a write replaces a write with the same key that has not started", async () => {
  const { later, written, put } = kit();
  put("a", "old");
  put("b");
  put("a", "new");
  await later.done();
  expect(written).toEqual(["new", "b"]);
});

test("a write waits for a running write with the same key", async () => {
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

test("drop cancels a write that has not started, and waits for a running one", async () => {
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

test("a failed write is logged, and the others run", async () => {
  const { later, written, logged, put } = kit();
  later.put("a", async () => {
    throw new Error("the disk is full");
  });
  put("b");
  await later.done();
  expect(written).toEqual(["b"]);
  expect(logged).toEqual([["warn", "state.unwritable", { what: "a", error: "the disk is full" }]]);
});

test("done also waits for writes that a write adds", async () => {
  const { later, written, put } = kit();
  later.put("a", async () => put("b"));
  await later.done();
  expect(written).toEqual(["b"]);
});

test("only a few of a thousand writes run at a time, and the others can still be dropped", async () => {
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
