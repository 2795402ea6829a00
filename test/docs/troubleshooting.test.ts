import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_CODES, HostError, PROBLEM_CODES, ToolAbortError } from "../../src/model/index.ts";
import { exitCodeOf } from "../../src/surfaces/shared/exit-code.ts";

test.each([
  ["error", "Error codes", ERROR_CODES],
  ["problem", "Problems", PROBLEM_CODES],
])("the troubleshooting page lists every %s code, in order", (_, title, codes) => {
  const page = readFileSync("docs/troubleshooting.md", "utf8");
  const [, after = ""] = page.split(`\n## ${title}\n`);
  const [table = ""] = after.split("\n## ");
  expect([...table.matchAll(/^\| `([\w-]+)` /gm)].map(([, code]) => code)).toEqual([...codes]);
});

test("every error code has its exit code", () => {
  const page = readFileSync("docs/troubleshooting.md", "utf8");
  const listed = [...page.matchAll(/^\| `([A-Z_]+)`\s*\|\s*(\d+) \|/gm)].map(([, code, exit]) => [
    code,
    Number(exit),
  ]);
  const cancelled = ["CANCELLED", exitCodeOf(new ToolAbortError())];
  const real = ERROR_CODES.map((code) => [code, exitCodeOf(new HostError(code, "it failed"))]);
  expect(listed).toEqual(real.map((pair) => (pair[0] === "CANCELLED" ? cancelled : pair)));
});
