import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

interface Run {
  readonly mode: string;
  readonly model: string;
  readonly task: string;
  readonly isSolved: boolean;
  readonly reason?: string;
}

test("the careful model solves all tasks of the benchmark in every mode if there are no other servers", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["bench/tasks.mjs", "--alone", "--json"]);
  const { runs } = JSON.parse(stdout) as { readonly runs: readonly Run[] };
  const careful = runs.filter(({ model }) => model === "careful");
  expect(careful.filter(({ isSolved }) => !isSolved)).toEqual([]);
  expect(careful).toHaveLength(60);
}, 60_000);
