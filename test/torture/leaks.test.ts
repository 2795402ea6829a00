import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { countOf, LONGEST_MS, report } from "../durability/counts.ts";
import { createSandbox } from "../support/sandbox.ts";

const LINE = "hosts created, used and closed: no memory, descriptor, timer, process or listener is kept";
/** More than noise, and less than 1 KB per cycle in the score. */
const MOST_GROWTH_BYTES = 2 * 1024 * 1024;
const FIRST = countOf({ inScore: 200, inTests: 20 });
const LAST = countOf({ inScore: 2_000, inTests: 60 });

/** Compiled code is in the heap, too, and grows for thousands of cycles until all of it is optimized. */
const FLAGS = ["--expose-gc", "--no-opt", "--no-sparkplug"];

const program = fileURLToPath(new URL("use-and-close.mjs", import.meta.url));

interface Held {
  readonly cycle: number;
  readonly heapBytes: number;
  readonly [what: string]: number;
}

// The program counts descriptors in /proc.
test.skipIf(!existsSync("/proc/self/fd"))(
  "a process that creates, uses and closes hosts releases all of their memory",
  { timeout: LONGEST_MS },
  async () => {
    await using sandbox = await createSandbox();
    const cycles = [String(FIRST), String(LAST)];
    const words = [...FLAGS, program, sandbox.project, ...cycles];
    const { stdout } = await promisify(execFile)(process.execPath, words, { env: sandbox.env() });
    const [first, last] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Held);
    if (first === undefined || last === undefined) return expect.fail(`no samples: ${stdout}`);
    const { cycle: _, heapBytes: heapBefore, ...before } = first;
    const { cycle: made, heapBytes: heapAfter, ...after } = last;
    const growth = heapAfter - heapBefore;
    const isMet = growth < MOST_GROWTH_BYTES && JSON.stringify(after) === JSON.stringify(before);
    const worst = `${(growth / 1024 / 1024).toFixed(1)} MB growth`;
    report(LINE, isMet ? made : 0, made, { worst });
    expect(after).toEqual(before);
    expect(growth).toBeLessThan(MOST_GROWTH_BYTES);
  },
);
