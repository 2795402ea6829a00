import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../conformance/run.mjs", import.meta.url));

/** Returns the official suite's result for one scenario in both revisions. `npm run conformance` runs all of them. */
async function judge(scenario: string, more: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, scenario], {
    env: { ...process.env, ...more },
  }).catch((error: { stdout: string }) => error);
  return stdout
    .trim()
    .split("\n")
    .map((line) => line.replace(/\d+ passed/, "passed"));
}

/** The scenario that covers the most: discovery, registration, PKCE, the resource, and additional scopes. */
const SCENARIO = "auth/scope-step-up";
const PASSED = [
  `ok   2025-11-25 ${SCENARIO}: passed, 0 failed`,
  `ok   2026-07-28 ${SCENARIO}: passed, 0 failed`,
  "2 of 2",
];

test("signing in passes the official conformance suite in both revisions", async () => {
  expect(await judge(SCENARIO)).toEqual(PASSED);
}, 60_000);

test("signing in with a program's provider also passes the conformance suite", async () => {
  expect(await judge(SCENARIO, { CONFORMANCE_PROVIDER: "1" })).toEqual(PASSED);
}, 60_000);
