import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { createSandbox } from "../support/sandbox.ts";

const MOST_MS = 250;

interface Measured {
  readonly stallMs: number;
  readonly growthMb: number;
  /** Whether the host handled the heavy message at all. */
  readonly isMeasured: boolean;
}

interface StallSuite {
  /** The line in `scripts/score-lines.mjs`. */
  readonly line: string;
  /** Handles one heavy message and prints what it measured. */
  readonly program: URL;
  /** The names of the heavy messages. */
  readonly names: readonly string[];
}

/** Adds a test for each heavy message, and a test that reports how many of them blocked the event loop for at most 250 ms. */
export function reportStalls({ line, program, names }: StallSuite): void {
  const measured: Measured[] = [];

  test.each(names)(
    "%s does not block the process for more than 250 ms",
    async (name) => {
      const found = await measure(program, name);
      measured.push(found);
      expect(found).toMatchObject({ isMeasured: true });
      expect(found.stallMs, JSON.stringify(found)).toBeLessThanOrEqual(MOST_MS);
    },
    LONGEST_MS,
  );

  test("the score has a result for every heavy message", () => {
    const smooth = measured.filter(({ isMeasured, stallMs }) => isMeasured && stallMs <= MOST_MS);
    const worstMs = Math.max(...measured.map(({ stallMs }) => stallMs));
    const growthMb = Math.max(...measured.map(({ growthMb }) => growthMb));
    report(line, smooth.length, names.length, { worst: `${worstMs} ms, ${growthMb} MB` });
    expect(measured).toHaveLength(names.length);
  });
}

/** Runs in its own process, so that memory and stalls are those of one message only. */
async function measure(program: URL, name: string): Promise<Measured> {
  await using sandbox = await createSandbox();
  const task = JSON.stringify({ home: sandbox.home, name });
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(program), task]);
  return JSON.parse(stdout) as Measured;
}
