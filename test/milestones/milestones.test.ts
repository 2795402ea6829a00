import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { missingTests } from "../seeds/missing-tests.ts";
import type { ShownBy } from "../seeds/seed-row.ts";

/** One item of a milestone, and the test that shows it. */
interface Item {
  readonly id: string;
  readonly shownBy: ShownBy;
}

const root = new URL("../../", import.meta.url);
const readFile = (path: string): string | undefined => {
  const file = new URL(path, root);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
};
const tables = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".json"));

test.each(tables)("every item has a test that exists and is not skipped: %s", (name) => {
  const items = JSON.parse(readFile(`test/milestones/${name}`) ?? "[]") as Item[];
  expect(items.length).toBeGreaterThan(0);
  expect(missingTests(items, readFile)).toEqual([]);
  const skipped = items.filter(({ shownBy }) =>
    /\bdescribe\.(?:skip|todo)\(/.test(readFile(shownBy.file) ?? ""),
  );
  expect(skipped.map(({ id }) => id)).toEqual([]);
});
