import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { availableMemory, parseUsage, usageOf } from "./process-usage.ts";

const MB = 1024 * 1024;

test.runIf(process.platform !== "win32")(
  "measures processes together, and skips those that ended",
  async () => {
    const script = `const held = Buffer.alloc(${64 * MB}, 1); console.log(held.length); setInterval(() => held, 1000)`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      await new Promise((resolve) => child.stdout.once("data", resolve));
      const pid = child.pid ?? 0;
      for (const exact of [false, true]) {
        const usage = await usageOf([pid, 2 ** 22 + 1], process.platform, exact);
        expect(usage?.processes).toBe(1);
        expect(usage?.memoryBytes).toBeGreaterThan(64 * MB);
        expect(usage?.memoryBytes).toBeLessThan(500 * MB);
        expect(usage?.cpuMs).toBeGreaterThanOrEqual(0);
      }
    } finally {
      child.kill("SIGKILL");
    }
  },
);

test("Windows does not report it", async () => {
  expect(await usageOf([1], "win32", false)).toBeUndefined();
});

test("reads the times that `ps` prints on macOS and elsewhere", () => {
  const usages = parseUsage("  1024   0:01.50\n2048 01:02:03\n 1 2-00:00:01\nerror\n\n");
  expect(usages.map(({ memoryBytes, cpuMs }) => [memoryBytes, cpuMs])).toEqual([
    [1024 * 1024, 1_500],
    [2048 * 1024, 3_723_000],
    [1024, 172_801_000],
  ]);
});

test("the available memory is known", () => {
  expect(availableMemory()).toBeGreaterThan(64 * MB);
});
