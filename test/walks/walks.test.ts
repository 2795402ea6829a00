import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";

interface Step {
  readonly module: string;
  readonly from: string;
  readonly reenters: boolean;
}

/** The only calls back into a module that is still running, as the section "Calls back" of src/README.md explains them. At most five. */
const CALLS_BACK: readonly (readonly string[])[] = [
  ["connection → operations", "operations → connection"],
  ["catalog → connection", "operations → catalog"],
  ["state → auth", "auth → state"],
  ["connection → surfaces", "operations → surfaces", "policy → operations"],
];

const { stdout } = await promisify(execFile)(process.execPath, ["scripts/walk.mjs", "--json"], {
  maxBuffer: 64_000_000,
});
const walks = JSON.parse(stdout) as Record<string, readonly Step[]>;

test("there are six walks, and each passes several places", () => {
  expect(Object.keys(walks)).toEqual([
    "call",
    "file-to-server",
    "export",
    "401-to-retry",
    "list-change-to-agent",
    "key-to-screen",
  ]);
  for (const steps of Object.values(walks)) expect(steps.length).toBeGreaterThan(5);
});

test("a walk re-enters a module only where src/README.md explains it", () => {
  const expected = CALLS_BACK.flat();
  const found = Object.entries(walks).flatMap(([walk, steps]) =>
    steps.flatMap(({ reenters, from, module }) =>
      reenters && !expected.includes(`${from} → ${module}`) ? [`${walk}: ${from} → ${module}`] : [],
    ),
  );
  expect([...new Set(found)]).toEqual([]);
  expect(CALLS_BACK.length).toBeLessThanOrEqual(5);
});

test("src/README.md explains every call back that happens", () => {
  const readme = readFileSync("src/README.md", "utf8");
  const happened = new Set(
    Object.values(walks).flatMap((steps) =>
      steps.flatMap(({ reenters, from, module }) => (reenters ? [`${from} → ${module}`] : [])),
    ),
  );
  expect(CALLS_BACK.flat().filter((pair) => !happened.has(pair))).toEqual([]);
  expect(CALLS_BACK.flat().filter((pair) => !readme.includes(`\`${pair}\``))).toEqual([]);
});
