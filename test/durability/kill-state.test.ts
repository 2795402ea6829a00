import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { countOf, LONGEST_MS, report } from "./counts.ts";
import { startStateWriter } from "./start-writer.ts";
import { APPROVABLE, openStateRows, type StateRows } from "./state-rows.ts";

const LANES = 4;
/** More than a writer writes before it is killed. */
const EACH = 30;
/** Three rows take about ten milliseconds. Taking over a dead process's lock takes half a second. */
const LONGEST_WAITS_MS = [40, 40, 700];

/** Runs one or two writers at a time, each killed at a different moment. */
async function killSome({ sandbox, url }: StateRows, round: string, count: number): Promise<string[]> {
  const ends = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const from = Math.floor(Math.random() * (APPROVABLE - EACH));
      const writer = startStateWriter(sandbox, `${round}-${index}`, EACH, url, from);
      await writer.wrote(0);
      writer.start();
      if (Math.random() < 0.7) await writer.wrote(Math.floor(Math.random() * 6));
      const longest = LONGEST_WAITS_MS[Math.floor(Math.random() * LONGEST_WAITS_MS.length)] ?? 0;
      await delay(Math.random() * longest); // the random moment itself
      writer.kill();
      return writer.ended;
    }),
  );
  expect(ends.map(({ how }) => how)).toEqual(ends.map(() => "SIGKILL"));
  return ends.flatMap(({ acknowledged }) => acknowledged);
}

test(
  "a writer killed at any moment loses no secret, approval or pin that it reported as stored, and blocks no other process",
  async () => {
    const kills = countOf({ inScore: 200, inTests: 4 });
    let [left, survived] = [kills, 0];
    const failures: string[] = [];
    const runLane = async (): Promise<void> => {
      await using rows = await openStateRows();
      const kept = new Set<string>();
      for (let round = 0; left > 0; round += 1) {
        const count = Math.min(left, Math.random() < 0.3 ? 2 : 1);
        left -= count;
        const fresh = await killSome(rows, `r${round}`, count);
        // The next writer succeeds.
        if (Math.random() < 0.5) fresh.push(...(await rows.keep(`r${round}-after`)));
        const faults = await rows.faults(fresh);
        for (const row of fresh) kept.add(row);
        failures.push(...faults);
        if (faults.length === 0) survived += count;
      }
      for (const row of await rows.keep("last")) kept.add(row);
      failures.push(...(await rows.faults(kept)));
    };
    await Promise.all(Array.from({ length: countOf({ inScore: LANES, inTests: 2 }) }, runLane));
    report(
      "writers killed while saving secrets, approvals, pins and tool lists: no row lost",
      failures.length === 0 ? survived : Math.min(survived, kills - 1),
      kills,
    );
    expect({ failures, survived }).toEqual({ failures: [], survived: kills });
  },
  LONGEST_MS,
);
