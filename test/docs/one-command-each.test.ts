import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const ci = readFileSync(".ci/run", "utf8");

test("one command installs the repository and builds it", () => {
  expect(scripts["dependencies"]).toBe("node scripts/build-if-needed.mjs"); // npm runs it after the packages are installed
  expect(ci).toMatch(/^npm ci /m); // like `npm install`, with the exact versions of the lock file
});

test("one command checks the repository: format, lint, types, dead code and package", () => {
  const checks = [...(scripts["check"] ?? "").matchAll(/npm run --silent (\S+)/g)].map(
    ([, name = ""]) => name,
  );
  expect(checks).toEqual(["format:check", "lint", "types", "dead", "package:check"]);
  expect(checks.filter((name) => scripts[name] === undefined)).toEqual([]);
  expect(ci).toMatch(/^npm run --silent check/m);
});

test("one command builds the repository", () => {
  expect(scripts["build"]).toBe("node scripts/build.mjs");
  expect(readFileSync("scripts/build.mjs", "utf8")).toContain('"dist"');
});
