import { appendFileSync } from "node:fs";

/** `npm run score` sets it; `npm test` runs a tenth. */
const isWhole = process.env["DURABILITY"] === "whole";

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

/** Hands a line of the score's table to `scripts/score.mjs`. */
export function report(line: string, passed: number, total: number, extras: ScoreExtras = {}): void {
  const file = process.env["SCORE_FILE"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ line, passed, total, ...extras })}\n`);
}
