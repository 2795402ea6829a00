import { appendFileSync } from "node:fs";
import { afterAll, afterEach } from "vitest";

/** `npm run score` sets it; `npm test` runs a tenth. */
export const isWhole: boolean = process.env["DURABILITY"] === "whole";

/** How often something is done, of the number that the score asks for. */
export function tenthOf(whole: number): number {
  return isWhole ? whole : whole / 10;
}

/** How often something is done, where `npm test` does not run a tenth. */
export function countOf({ inScore, inTests }: { inScore: number; inTests: number }): number {
  return isWhole ? inScore : inTests;
}

/** For tests of which the whole takes longer than a test may. */
export const LONGEST_MS: number = isWhole ? 1_800_000 : 120_000;

export interface ScoreExtras {
  /** What the control reached of the same. */
  readonly control?: string;
  /** The worst figure that was measured. */
  readonly worst?: string;
}

/** Hands a line of the score's table to `scripts/score.mjs`. What is reported of one line more than once adds up. */
export function report(line: string, passed: number, total: number, extras: ScoreExtras = {}): void {
  const file = process.env["SCORE_FILE"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ line, passed, total, ...extras })}\n`);
}

/**
 * Reports how many of the actions that are handed to it came to a good end in that time. What other programs took of the processor
 * does not count, and being slow fails no test.
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

/** Reports how many tests of the suite it is called in have passed. */
export function reportTests(line: string, extras?: () => ScoreExtras): void {
  let [passed, total] = [0, 0];
  afterEach(({ task }) => {
    total += 1;
    if (task.result?.state === "pass") passed += 1;
  });
  afterAll(() => report(line, passed, total, extras?.()));
}
