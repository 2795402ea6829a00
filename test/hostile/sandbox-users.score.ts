import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";

interface Outcome {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
}

const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
/** The user `nobody` of most systems. */
const NOBODY = 65_534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];

const USERS: readonly (readonly [who: string, prefix: readonly string[]])[] = [
  ["as this user", []],
  ...(process.getuid?.() === 0 ? [["as a normal user", AS_NOBODY] as const] : []),
];

/** Runs the probes in `sandbox.test.ts` again, as this user or as one without rights. */
test.each(USERS)(
  "attacks from inside the default sandbox fail, and succeed outside: %s",
  (_, prefix) => {
    const folder = mkdtempSync("/tmp/probes-"); // the path of a Unix socket must be short
    try {
      if (prefix.length > 0) chownSync(folder, NOBODY, NOBODY);
      const file = join(folder, "result.json");
      const options = `--configLoader runner --reporter=json --outputFile=${file}`.split(" ");
      const [command, ...args] = [...prefix, process.execPath, vitest, "run"];
      const { stderr } = spawnSync(command, [...args, "test/hostile/sandbox.test.ts", ...options], {
        env: {
          PATH: process.env["PATH"],
          HOME: folder,
          TMPDIR: folder,
          PLUGBOARD_SKIP_BUILD: "1",
        },
        encoding: "utf8",
      });
      const { numTotalTests, numPassedTests } = JSON.parse(readFileSync(file, "utf8")) as Outcome;
      report(
        "attacks from inside the default sandbox, as root and as a normal user: none succeeds, each does outside",
        numPassedTests,
        numTotalTests,
      );
      expect(numPassedTests, stderr.slice(-2_000)).toBe(numTotalTests);
      expect(numTotalTests).toBeGreaterThanOrEqual(60);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  LONGEST_MS,
);
