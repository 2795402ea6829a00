import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";

interface Judged {
  readonly scenario: string;
  readonly revision: string;
  readonly era: string;
  readonly isPassed: boolean;
  /** Why it cannot pass, if it is in a baseline. */
  readonly expected?: string;
}

test(
  "every server scenario passes through the gateway, or fails for the reason that is recorded",
  async () => {
    const program = resolve("conformance/run.mjs");
    const judging = promisify(execFile)(process.execPath, [program, "--server", "--json"], {
      maxBuffer: 64 * 1024 * 1024,
    });
    judging.child.stderr?.pipe(process.stderr);
    const { stdout } = await judging.catch((error: { stdout: string }) => error);
    const judged = JSON.parse(stdout) as readonly Judged[];
    const wrong = judged.filter(({ isPassed, expected }) => isPassed !== (expected === undefined));
    const line =
      "server scenarios of the official suite through the gateway, or failing for the reason that is recorded";
    report(line, judged.length - wrong.length, judged.length);
    expect(wrong).toEqual([]);
    const equal = judged.filter(({ revision, era }) => (revision === "2025-11-25") === (era === "legacy"));
    expect(equal.filter(({ expected }) => expected !== undefined)).toEqual([]);
  },
  LONGEST_MS,
);
