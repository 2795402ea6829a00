import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { isWhole, LONGEST_MS, report } from "../durability/counts.ts";

const program = fileURLToPath(new URL("../../conformance/run.mjs", import.meta.url));

/** What the official suite says of a scenario, in both revisions; `npm run conformance` has it judge all of them. */
async function judge(scenario: string, more: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, scenario], {
    env: { ...process.env, ...more },
  }).catch((error: { stdout: string }) => error);
  return stdout
    .trim()
    .split("\n")
    .map((line) => line.replace(/\d+ passed/, "passed"));
}

/** The one that looks at most: discovery, registration, PKCE, the resource, and more rights later on. */
const SCENARIO = "auth/scope-step-up";
const PASSED = [
  `ok   2025-11-25 ${SCENARIO}: passed, 0 failed`,
  `ok   2026-07-28 ${SCENARIO}: passed, 0 failed`,
  "2 of 2",
];

test("signing in follows the specification in both revisions, says the official suite", async () => {
  expect(await judge(SCENARIO)).toEqual(PASSED);
}, 60_000);

test("signing in with a program's provider does so, too", async () => {
  expect(await judge(SCENARIO, { CONFORMANCE_PROVIDER: "1" })).toEqual(PASSED);
}, 60_000);

interface Judged {
  readonly scenario: string;
  readonly revision: string;
  readonly required: boolean;
  readonly isPassed: boolean;
  readonly why: readonly string[];
}

/** What the suite says of every scenario. */
async function judgeAll(client: string): Promise<Judged[]> {
  const judging = promisify(execFile)(process.execPath, [program, "--json", "--client", client], {
    maxBuffer: 64 * 1024 * 1024,
  });
  judging.child.stderr?.pipe(process.stderr);
  const { stdout } = await judging.catch((error: { stdout: string }) => error);
  return JSON.parse(stdout) as Judged[];
}

const LINES: Readonly<Record<string, (judged: Judged) => boolean>> = {
  "conformance scenarios required of a client, 2025-11-25": ({ required, revision }) =>
    required && revision === "2025-11-25",
  "conformance scenarios required of a client, 2026-07-28": ({ required, revision }) =>
    required && revision === "2026-07-28",
  "conformance scenarios of extensions, and later ones, on both wires": ({ required }) => !required,
};

test.runIf(isWhole)(
  "every scenario passes, with the official client beside",
  async () => {
    const [own, control] = [await judgeAll("client.mjs"), await judgeAll("sdk-client.mjs")];
    const passed = (all: readonly Judged[]): number => all.filter(({ isPassed }) => isPassed).length;
    for (const [line, belongs] of Object.entries(LINES)) {
      const [mine, theirs] = [own.filter(belongs), control.filter(belongs)];
      report(line, passed(mine), mine.length, { control: `${passed(theirs)} of ${theirs.length}` });
    }
    expect(own.filter(({ isPassed }) => !isPassed)).toEqual([]);
  },
  LONGEST_MS,
);
