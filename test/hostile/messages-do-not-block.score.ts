import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { HEAVY_MESSAGES } from "../servers/heavy-messages.mjs";
import { createSandbox } from "../support/sandbox.ts";

const program = fileURLToPath(new URL("measure-message.mjs", import.meta.url));
const MOST_MS = 250;

interface Measured {
  readonly stallMs: number;
  readonly growthMb: number;
}

/** Each message is as slow to handle, or as large in memory, as one message of 16 MB can be. */
test(
  "no message of a server blocks the process for more than 250 ms",
  async () => {
    const found: (Measured & { readonly name: string })[] = [];
    for (const name of Object.keys(HEAVY_MESSAGES)) {
      await using sandbox = await createSandbox();
      const task = JSON.stringify({ home: sandbox.home, name });
      const { stdout } = await promisify(execFile)(process.execPath, [program, task]);
      found.push({ name, ...(JSON.parse(stdout) as Measured) });
    }
    const smooth = found.filter(({ stallMs }) => stallMs <= MOST_MS);
    const worst = Math.max(...found.map(({ stallMs }) => stallMs));
    const growth = Math.max(...found.map(({ growthMb }) => growthMb));
    report("heavy messages handled without a stall over 250 ms", smooth.length, found.length, {
      worst: `${worst} ms, ${growth} MB`,
    });
    expect(found.filter(({ stallMs }) => stallMs > MOST_MS)).toEqual([]);
  },
  LONGEST_MS,
);
