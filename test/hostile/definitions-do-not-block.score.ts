import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { HEAVY_DEFINITIONS } from "../servers/heavy-definitions.mjs";
import { createSandbox } from "../support/sandbox.ts";

const program = fileURLToPath(new URL("measure-heavy.mjs", import.meta.url));
const MOST_MS = 250;

interface Measured {
  readonly stallMs: number;
  readonly growthMb: number;
}

/** Each list is made to be as slow to inspect as one message of 16 MB can be. */
test(
  "no list of tools blocks the process for more than 250 ms",
  async () => {
    const found: (Measured & { readonly name: string })[] = [];
    for (const name of Object.keys(HEAVY_DEFINITIONS)) {
      await using sandbox = await createSandbox();
      const task = JSON.stringify({ home: sandbox.home, name });
      const { stdout } = await promisify(execFile)(process.execPath, [program, task]);
      found.push({ name, ...(JSON.parse(stdout) as Measured) });
    }
    const smooth = found.filter(({ stallMs }) => stallMs <= MOST_MS);
    const worst = Math.max(...found.map(({ stallMs }) => stallMs));
    const growth = Math.max(...found.map(({ growthMb }) => growthMb));
    report("heavy tool lists inspected without a stall over 250 ms", smooth.length, found.length, {
      worst: `${worst} ms, ${growth} MB`,
    });
    expect(found.filter(({ stallMs }) => stallMs > MOST_MS)).toEqual([]);
  },
  LONGEST_MS,
);
