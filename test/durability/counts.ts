import { appendFileSync } from "node:fs";
import { afterAll, afterEach } from "vitest";

/** `npm run score` sets it; `npm test` runs a tenth. */
export const isWhole: boolean = process.env["DURABILITY"] === "whole";

/** Returns how often to do something, as a share of the number that the score requires. */
export function tenthOf(whole: number): number {
  return isWhole ? whole : whole / 10;
}

/** Returns how often to do something if `npm test` does not run a tenth. */
export function countOf({ inScore, inTests }: { inScore: number; inTests: number }): number {
  return isWhole ? inScore : inTests;
}

/** For tests that take longer in full than a test may. */
export const LONGEST_MS: number = isWhole ? 1_800_000 : 120_000;

export interface ScoreExtras {
  /** The result of the control for the same line. */
  readonly control?: string;
  /** The worst measured figure. */
  readonly worst?: string;
}

/** Passes a line of the score's table to `scripts/score.mjs`. Several reports for one line are added up. */
export function report(line: string, passed: number, total: number, extras: ScoreExtras = {}): void {
  const file = process.env["SCORE_FILE"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ line, passed, total, ...extras })}\n`);
}

/**
 * Reports how many of the given actions succeeded within that time. CPU time of other programs does not count, and a
 * slow action does not fail a test.
 */
export function reportInTime(line: string, mostMs: number): (action: () => void) => void {
  let [passed, total, worst] = [0, 0, 0];
  afterAll(() => report(line, passed, total, { worst: `${Math.round(worst)} ms` }));
  return (action) => {
    total += 1;
    const [began, used] = [performance.now(), process.cpuUsage()];
    action();
    const { user, system } = process.cpuUsage(used);
    const took = Math.min(performance.now() - began, (user + system) / 1_000);
    worst = Math.max(worst, took);
    if (took <= mostMs) passed += 1;
  };
}

/** Reports how many tests of the calling suite have passed. */
export function reportTests(line: string, extras?: () => ScoreExtras): void {
  let [passed, total] = [0, 0];
  afterEach(({ task }) => {
    total += 1;
    if (task.result?.state === "pass") passed += 1;
  });
  afterAll(() => report(line, passed, total, extras?.()));
}
