import { expect, test } from "vitest";
import { decideMemory, GRACE_MS, type MemorySample } from "./decide-memory.ts";

const MB = 1024 * 1024;
const sample = (id: number, memory: number, more: Partial<MemorySample> = {}): MemorySample => ({
  id,
  server: `s${id}`,
  memoryBytes: memory * MB,
  limitBytes: 100 * MB,
  isBusy: false,
  isListenedTo: false,
  usedAt: id,
  ...more,
});
const decide = (samples: readonly MemorySample[], { total = 1_000, over = new Map(), now = 0 } = {}) =>
  decideMemory(samples, total * MB, over, now).map(({ id, kind }) => [id, kind]);

test("servers within all limits keep running", () => {
  expect(decide([sample(1, 100), sample(2, 50, { isBusy: true })])).toEqual([]);
});

test("a server over its limit is restarted, and the reason has both numbers", () => {
  const [action] = decideMemory([sample(1, 101)], 1_000 * MB, new Map(), 0);
  expect(action).toMatchObject({ id: 1, kind: "restart" });
  expect(action?.why).toContain("used 101 MB of memory, more than its limit of 100 MB");
});

test("a server over its limit has time to finish its calls, unless it is far over", () => {
  const over = new Map();
  const busy = [sample(1, 110, { isBusy: true })];
  expect(decide(busy, { over, now: 0 })).toEqual([]);
  expect(decide(busy, { over, now: GRACE_MS - 1 })).toEqual([]);
  expect(decide(busy, { over, now: GRACE_MS })).toEqual([[1, "restart"]]);
  expect(decide([sample(2, 126, { isBusy: true })])).toEqual([[2, "restart"]]);
});

test("the time starts again if a server was below its limit in between", () => {
  const over = new Map();
  const at = (memory: number, now: number) => decide([sample(1, memory, { isBusy: true })], { over, now });
  expect(at(110, 0)).toEqual([]);
  expect(at(90, 5_000)).toEqual([]);
  expect(at(110, GRACE_MS)).toEqual([]);
});

test("over the total limit, unused servers stop, those unused for the longest time first, and no more than needed", () => {
  const servers = [sample(3, 40), sample(1, 40), sample(2, 40), sample(4, 40, { isBusy: true })];
  expect(decide(servers, { total: 100 })).toEqual([
    [1, "stop"],
    [2, "stop"],
  ]);
});

test("a server with subscribers does not count as unused", () => {
  expect(decide([sample(1, 60, { isListenedTo: true }), sample(2, 60)], { total: 100 })).toEqual([
    [2, "stop"],
  ]);
});

test("if only servers in use remain, the largest is restarted after some time", () => {
  const over = new Map();
  const servers = [sample(1, 50, { isBusy: true }), sample(2, 60, { isBusy: true })];
  expect(decide(servers, { total: 100, over, now: 0 })).toEqual([]);
  expect(decide(servers, { total: 100, over, now: GRACE_MS })).toEqual([[2, "restart"]]);
  expect(decide([sample(3, 90, { isBusy: true }), sample(4, 60, { isBusy: true })], { total: 100 })).toEqual([
    [3, "restart"],
  ]);
});

test("a leaking server does not make others stop", () => {
  expect(decide([sample(1, 900), sample(2, 90)], { total: 500 })).toEqual([[1, "restart"]]);
});
