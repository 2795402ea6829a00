import { expect, test } from "vitest";
import type { HttpResponse } from "../../platform/index.ts";
import { createManualClock } from "../../testing/index.ts";
import { UnusedBodies } from "./unused-bodies.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface FakeResponse extends HttpResponse {
  readonly isCancelled: () => boolean;
  send(bytes: number): void;
  end(error?: Error): void;
}

function createResponse(): FakeResponse {
  let isCancelled = false;
  let listener: { onData(chunk: Uint8Array): unknown; onEnd(error?: Error): void } | undefined;
  return {
    status: 200,
    headers: { get: () => undefined },
    read: (onData, onEnd) => {
      listener = { onData, onEnd };
    },
    cancel: () => {
      isCancelled = true;
    },
    isCancelled: () => isCancelled,
    send: (bytes) => void listener?.onData(new Uint8Array(bytes)),
    end: (error) => listener?.onEnd(error),
  };
}

async function isSettled(promise: Promise<void>): Promise<boolean> {
  let isDone = false;
  void promise.then(() => (isDone = true));
  await settled();
  return isDone;
}

test("a body that ends leaves its connection open for the next request", async () => {
  const response = createResponse();
  const read = new UnusedBodies(createManualClock()).discard(response);
  response.send(100);
  expect(await isSettled(read)).toBe(false);
  response.end();
  expect(await isSettled(read)).toBe(true);
  expect(response.isCancelled()).toBe(false);
});

test("a body that does not end within a second is cancelled", async () => {
  const clock = createManualClock();
  const response = createResponse();
  const read = new UnusedBodies(clock).discard(response);
  clock.advance(999);
  response.send(1);
  expect(await isSettled(read)).toBe(false);
  clock.advance(1);
  expect(await isSettled(read)).toBe(true);
  expect(response.isCancelled()).toBe(true);
});

test("a body that is too large is cancelled", async () => {
  const response = createResponse();
  const read = new UnusedBodies(createManualClock()).discard(response);
  response.send(60 * 1024);
  response.send(60 * 1024);
  expect(await isSettled(read)).toBe(true);
  expect(response.isCancelled()).toBe(true);
});

test("a connection that is cut is not an error", async () => {
  const response = createResponse();
  const read = new UnusedBodies(createManualClock()).discard(response);
  response.end(new Error("cut"));
  expect(await isSettled(read)).toBe(true);
});

test("at most 16 bodies are read at a time; more are cancelled immediately", async () => {
  const bodies = new UnusedBodies(createManualClock());
  const responses = Array.from({ length: 20 }, createResponse);
  for (const response of responses) void bodies.discard(response);
  await settled();
  expect(responses.filter((response) => response.isCancelled())).toHaveLength(4);
  responses[0]?.end();
  await settled();
  const next = createResponse();
  void bodies.discard(next);
  expect(next.isCancelled()).toBe(false);
});

test("closing cancels all bodies that are being read", async () => {
  const bodies = new UnusedBodies(createManualClock());
  const response = createResponse();
  const read = bodies.discard(response);
  bodies.close();
  expect(await isSettled(read)).toBe(true);
  expect(response.isCancelled()).toBe(true);
});
