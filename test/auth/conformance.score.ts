import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";

const program = fileURLToPath(new URL("../../conformance/run.mjs", import.meta.url));

interface Judged {
  readonly scenario: string;
  readonly revision: string;
  readonly required: boolean;
  readonly isPassed: boolean;
  readonly why: readonly string[];
}

/** Returns the suite's result for every scenario. */
async function judgeAll(client: string): Promise<Judged[]> {
  const judging = promisify(execFile)(process.execPath, [program, "--json", "--client", client], {
    maxBuffer: 64 * 1024 * 1024,
  });
  judging.child.stderr?.pipe(process.stderr);
  const { stdout } = await judging.catch((error: { stdout: string }) => error);
  return JSON.parse(stdout) as Judged[];
}

const LINES: Readonly<Record<string, (judged: Judged) => boolean>> = {
  "conformance scenarios required for clients, 2025-11-25": ({ required, revision }) =>
    required && revision === "2025-11-25",
  "conformance scenarios required for clients, 2026-07-28": ({ required, revision }) =>
    required && revision === "2026-07-28",
  "optional conformance scenarios, with both protocols": ({ required }) => !required,
};

test(
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
