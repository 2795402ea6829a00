import { describe, expect, test } from "vitest";
import { createSerialQueue, createSerialQueues } from "./serial-queue.ts";

/** Creates work that logs its start and ends when `end` is called. */
function createWork(log: string[]) {
  const ends = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<string> => {
    log.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    return name;
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settle();
  };
  return { work, end };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a serial queue", () => {
  test("starts work after the work before it has ended", async () => {
    const log: string[] = [];
    const { work, end } = createWork(log);
    const enqueue = createSerialQueue();
    const results = [enqueue(work("a")), enqueue(work("b"))];
    await settle();
    expect(log).toEqual(["a"]);
    await end("a");
    expect(log).toEqual(["a", "b"]);
    await end("b");
    expect(await Promise.all(results)).toEqual(["a", "b"]);
  });

  test("continues after a failure, which rejects only its own promise", async () => {
    const enqueue = createSerialQueue();
    const results = await Promise.allSettled([
      enqueue(() => Promise.reject(new Error("failed"))),
      enqueue(async () => "done"),
    ]);
    expect(results).toMatchObject([{ reason: { message: "failed" } }, { value: "done" }]);
  });
});

describe("serial queues by key", () => {
  test("run work with the same key in order, and work with different keys in parallel", async () => {
    const log: string[] = [];
    const { work, end } = createWork(log);
    const enqueue = createSerialQueues();
    const results = [enqueue("x", work("x1")), enqueue("x", work("x2")), enqueue("y", work("y1"))];
    await settle();
    expect(log).toEqual(["x1", "y1"]);
    await end("x1");
    expect(log).toEqual(["x1", "y1", "x2"]);
    await end("y1");
    await end("x2");
    expect(await Promise.all(results)).toEqual(["x1", "x2", "y1"]);
  });

  test("keep the order of work that is added while other work runs", async () => {
    const log: string[] = [];
    const { work, end } = createWork(log);
    const enqueue = createSerialQueues();
    const first = enqueue("x", work("first"));
    await settle();
    const others = [enqueue("x", () => Promise.reject(new Error("failed"))), enqueue("x", work("third"))];
    await end("first");
    expect(log).toEqual(["first", "third"]);
    await end("third");
    expect(await Promise.allSettled([first, ...others])).toMatchObject([
      { value: "first" },
      { reason: { message: "failed" } },
      { value: "third" },
    ]);
    expect(await enqueue("x", async () => "later")).toBe("later");
  });
});
