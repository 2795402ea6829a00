import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findMarked, lowestIdSince, nextRun, RUN_VARIABLE } from "./marked-processes.ts";

describe.skipIf(process.platform !== "linux")("the search for marked processes", () => {
  test("waits after a scan, and concurrent calls share the next scan", async () => {
    await findMarked("linux");
    const second = findMarked("linux");
    for (let step = 0; step < 10; step += 1) await Promise.resolve();
    const third = findMarked("linux");
    expect(third).toBe(second);
    expect(await third).toBe(await second);
  });

  test("reads only the start of a large environment", async () => {
    const large = await startWithLargeEnvironment(64);
    const before = bytesRead();
    await findMarked("linux");
    expect(bytesRead() - before).toBeLessThan(32 * 2 ** 20);
    large.kill("SIGKILL");
  });

  test("finds a process by the start of its environment", async () => {
    const run = nextRun();
    const filling = Array.from({ length: 10 }, (_, index) => [`FILL_${index}`, "x".repeat(100_000)]);
    const env = { [RUN_VARIABLE]: run, PATH: process.env["PATH"], ...Object.fromEntries(filling) };
    const child = spawn("sleep", ["60"], { stdio: "ignore", env });
    await once(child, "spawn");
    expect([...((await findMarked("linux")).get(run) ?? [])]).toEqual([child.pid]);
    child.kill("SIGKILL");
  });

  test("finds a process that has another mark before its own", async () => {
    const [run, other] = [nextRun(), nextRun()];
    const unknown = `${run}0`.repeat(1_000);
    const env = { A: other, B: unknown, [RUN_VARIABLE]: run, PATH: process.env["PATH"] };
    const child = spawn("sleep", ["60"], { stdio: "ignore", env });
    await once(child, "spawn");
    const found = await findMarked("linux");
    expect([run, other].map((one) => [...(found.get(one) ?? [])])).toEqual([[child.pid], [child.pid]]);
    expect(found.has(`${run}0`)).toBe(false);
    child.kill("SIGKILL");
  });
});

test.each([
  ["few processes were started", { count: 1_100, lastPid: 600 }, 500],
  ["ids wrapped around", { count: 1_100, lastPid: 400 }, 0],
  ["ids wrapped around and went on", { count: 33_900, lastPid: 600 }, 0],
  ["the count is unknown", { count: Number.POSITIVE_INFINITY, lastPid: 600 }, 0],
])("the lowest id to search is that of the oldest server, unless ids may be reused: %s", (_, now, lowest) => {
  expect(lowestIdSince({ pid: 500, count: 1_000 }, now)).toBe(lowest);
});

async function startWithLargeEnvironment(megabytes: number): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("../../../test/servers/large-environment.py", import.meta.url));
  const child = spawn("python3", [script, String(megabytes)], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

/** Returns how many bytes this process has read since it started. */
function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}
