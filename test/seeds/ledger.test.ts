import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ledger } from "./ledger.ts";
import { missingTests } from "./missing-tests.ts";
import type { SeedRow } from "./seed-row.ts";

/** Raised by each milestone once tests prove all of its rows. */
const FINISHED_MILESTONE = 6;

const MILESTONES = [1, 2, 3, 4, 5, 6, 7];
const LEAST_ROWS = { omp: 123, xcsh: 123, pisces: 123, toolloop: 75, opencode: 114 };

const isOpen = (row: SeedRow): boolean => row.shownBy === undefined;
const idOf = (row: SeedRow): string => row.id;

test("every row has a unique id with its seed, section and number", () => {
  const ids = ledger.map(idOf);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^(?:omp|xcsh|pisces|toolloop|opencode)-\d+\.\d\d$/.test(id))).toEqual([]);
});

test("every row has a section, a promise and a milestone", () => {
  const incomplete = ledger.filter(
    ({ section, promise, milestone }) =>
      section.trim() === "" || promise.trim() === "" || !MILESTONES.includes(milestone),
  );
  expect(incomplete.map(idOf)).toEqual([]);
});

test.each(Object.entries(LEAST_ROWS))("no row of %s is lost", (seed, least) => {
  expect(ledger.filter(({ id }) => id.startsWith(`${seed}-`)).length).toBeGreaterThanOrEqual(least);
});

test("every test that a row claims exists", () => {
  const root = new URL("../../", import.meta.url);
  const readFile = (path: string): string | undefined => {
    const file = new URL(path, root);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
  expect(missingTests(ledger, readFile)).toEqual([]);
});

for (const milestone of MILESTONES) {
  const rows = ledger.filter((row) => row.milestone === milestone);
  const open = rows.filter(isOpen);
  test(`milestone ${milestone}: ${rows.length - open.length} of ${rows.length} rows are shown by a test`, () => {
    expect(milestone <= FINISHED_MILESTONE ? open.map(idOf) : []).toEqual([]);
  });
}

function claiming(file: string, title: string): SeedRow {
  return {
    id: "omp-9.99",
    section: "Made up",
    kind: "rule",
    promise: "Something is promised.",
    milestone: 1,
    shownBy: { file, test: title },
  };
}

test("a row that claims a missing file is reported", () => {
  expect(missingTests([claiming("test/gone.test.ts", "a tool is called")], () => undefined)).toEqual([
    "omp-9.99: test/gone.test.ts does not exist",
  ]);
});

test.each([
  ["another title", 'test("a tool is called twice", () => {});'],
  ["a part of a title", 'test("today a tool is called", () => {});'],
  ["a skipped test", 'test.skip("a tool is called", () => {});'],
  ["a todo", 'test.todo("a tool is called");'],
  ["a group", 'describe("a tool is called", () => {});'],
  ["a comment", '  // test("a tool is called", () => {});'],
  ["a plain string", 'const title = "a tool is called";'],
  ["a call after a test", 'test.each([1])("other", () => {});\nlog()("a tool is called", 1);'],
])("%s does not show what a row claims", (_, source) => {
  expect(missingTests([claiming("test/some.test.ts", "a tool is called")], () => source)).toEqual([
    'omp-9.99: test/some.test.ts has no test "a tool is called"',
  ]);
});

test.each([
  ["test", 'test("it says \\"no\\"", () => {});'],
  ["it in single quotes", "it('it says \"no\"', () => {});"],
  ["a template", 'test(`it says "no"`, () => {});'],
  ["a concurrent test", 'test.concurrent("it says \\"no\\"", async () => {});'],
  ["a table", 'test.each([\n  ["a test", f(1)],\n])(\n  \'it says "no"\',\n  () => {},\n);'],
  ["a tagged table", "test.each`\n  a\n  ${1}\n`('it says \"no\"', () => {});"],
  ["a condition", 'test.skipIf(process.platform === "win32")(\'it says "no"\', () => {});'],
])("a title is found in %s", (_, source) => {
  expect(missingTests([claiming("test/some.test.ts", 'it says "no"')], () => source)).toEqual([]);
});
