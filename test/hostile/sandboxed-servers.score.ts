import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";

interface Compared {
  readonly name: string;
  readonly error?: string;
  readonly sameTools?: boolean;
  readonly sameResult?: boolean;
  readonly questions?: number;
}

const program = fileURLToPath(new URL("../../bench/sandboxed-servers.mjs", import.meta.url));

/** The servers are installed from the registry the first time. */
test(
  "published servers work in the default sandbox after one question at most",
  async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 1e8 });
    process.stderr.write(stderr);
    const compared = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Compared);
    const working = compared.filter(
      ({ sameTools, sameResult, questions = 2 }) => sameTools && sameResult && questions <= 1,
    );
    report(
      "published servers with the same tools and result in the default sandbox, after one question at most",
      working.length,
      compared.length,
    );
    expect(compared).toHaveLength(20);
    expect(working.length, JSON.stringify(compared)).toBeGreaterThanOrEqual(18);
  },
  LONGEST_MS,
);
