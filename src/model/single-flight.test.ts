import { describe, expect, test } from "vitest";
import { sharedRun, singleFlight } from "./single-flight.ts";

describe("singleFlight", () => {
  test("shares one run between concurrent callers with the same key", async () => {
    const running = new Map<string, Promise<number>>();
    let starts = 0;
    const start = async (): Promise<number> => {
      starts += 1;
      return starts;
    };
    const calls = [singleFlight(running, "a", start), singleFlight(running, "a", start)];
    expect(calls[0]).toBe(calls[1]);
    expect(await Promise.all(calls)).toEqual([1, 1]);
    expect(starts).toBe(1);
  });

  test("starts one run per key", async () => {
    const running = new Map<string, Promise<string>>();
    const results = ["a", "b"].map((key) => singleFlight(running, key, async () => key));
    expect([...running.keys()]).toEqual(["a", "b"]);
    expect(await Promise.all(results)).toEqual(["a", "b"]);
  });

  test.each([
    ["fulfilled", async () => 1],
    ["rejected", () => Promise.reject(new Error("failed"))],
  ])("forgets a %s run, so that the next call starts a new run", async (_, start: () => Promise<number>) => {
    const running = new Map<string, Promise<number>>();
    await singleFlight(running, "a", start).catch(() => undefined);
    expect(running.size).toBe(0);
    expect(await singleFlight(running, "a", async () => 2)).toBe(2);
  });

  test("rejects every caller of a failed run", async () => {
    const running = new Map<string, Promise<number>>();
    const start = (): Promise<number> => Promise.reject(new Error("failed"));
    const calls = [singleFlight(running, "a", start), singleFlight(running, "a", start)];
    expect(await Promise.allSettled(calls)).toMatchObject([
      { reason: { message: "failed" } },
      { reason: { message: "failed" } },
    ]);
  });
});

describe("sharedRun", () => {
  test("shares one run, with the arguments of the first call", async () => {
    const run = sharedRun(async (text: string) => text);
    expect(await Promise.all([run("a"), run("b")])).toEqual(["a", "a"]);
    expect(await run("c")).toBe("c");
  });

  test("runs again after a failure", async () => {
    let starts = 0;
    const run = sharedRun(async () => {
      starts += 1;
      if (starts === 1) throw new Error("failed");
      return starts;
    });
    await expect(run()).rejects.toThrow("failed");
    expect(await run()).toBe(2);
  });
});
