import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_CODES, PROBLEM_CODES } from "../../src/model/index.ts";

test.each([
  ["error", "Error codes", ERROR_CODES],
  ["problem", "Problems", PROBLEM_CODES],
])("every %s code has its line in the troubleshooting page, in order", (_, title, codes) => {
  const page = readFileSync("docs/troubleshooting.md", "utf8");
  const [, after = ""] = page.split(`\n## ${title}\n`);
  const [table = ""] = after.split("\n## ");
  expect([...table.matchAll(/^\| `([\w-]+)` /gm)].map(([, code]) => code)).toEqual([...codes]);
});
