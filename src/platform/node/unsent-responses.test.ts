import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UnsentResponses } from "./unsent-responses.ts";

const KB = 1024;

/** A response that a client reads as far as the test wants. */
class FakeResponse extends EventEmitter {
  writableLength: number;
  writableEnded = true;
  isDestroyed = false;

  constructor(bytes: number) {
    super();
    this.writableLength = bytes;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit("close");
  }
}

const asResponse = (response: FakeResponse): ServerResponse => response as unknown as ServerResponse;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watchAll(limits: { stalledMs: number; bytes: number }, ...responses: FakeResponse[]): void {
  const unsent = new UnsentResponses(limits);
  for (const response of responses) unsent.watch(asResponse(response));
}

test("a client that reads nothing of a response is disconnected, and one that reads slowly is not", () => {
  const [stalled, slow] = [new FakeResponse(100 * KB), new FakeResponse(100 * KB)];
  watchAll({ stalledMs: 3_000, bytes: 1_000 * KB }, stalled, slow);
  for (let second = 0; second < 5; second += 1) {
    slow.writableLength -= 1;
    vi.advanceTimersByTime(1_000);
  }
  expect([stalled.isDestroyed, slow.isDestroyed]).toEqual([true, false]);
});

test("if clients leave too much unread, the oldest responses end first", () => {
  const responses = [new FakeResponse(60 * KB), new FakeResponse(60 * KB), new FakeResponse(60 * KB)];
  watchAll({ stalledMs: 60_000, bytes: 100 * KB }, ...responses);
  vi.advanceTimersByTime(1_000);
  expect(responses.map(({ isDestroyed }) => isDestroyed)).toEqual([true, true, false]);
});

test("a response that was read is no longer watched, and an idle stream is not ended", () => {
  const [read, stream] = [new FakeResponse(100 * KB), new FakeResponse(100 * KB)];
  stream.writableEnded = false;
  watchAll({ stalledMs: 2_000, bytes: 1_000 * KB }, read, stream);
  read.writableLength = 0;
  read.emit("finish");
  vi.advanceTimersByTime(5_000);
  expect([read.isDestroyed, stream.isDestroyed]).toEqual([false, false]);
  stream.writableLength = 0;
  vi.advanceTimersByTime(1_000);
  expect(stream.listenerCount("finish")).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
