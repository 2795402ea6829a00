/** Sampling in rounds and the statistics of it. Nothing here knows what is measured. */
import { waitForQuiet } from "./quiet.mjs";

/**
 * Takes one sample of every contestant per round, each round starting with another one, so that noise and order hit all
 * alike; each sample first waits for the machine to be quiet. A sample is an object of numbers. The first round is thrown away (it fills the file cache). A contestant whose
 * sample throws is out, with the reason; the others go on.
 */
export async function measureInRounds(contestants, rounds, announce) {
  const results = new Map(contestants.map(({ id }) => [id, { samples: [] }]));
  for (let round = 0; round <= rounds; round++) {
    announce(round === 0 ? "warm-up" : `round ${round} of ${rounds}`);
    for (let turn = 0; turn < contestants.length; turn++) {
      const { id, sample } = contestants[(round + turn) % contestants.length];
      const result = results.get(id);
      if (result.failure !== undefined) continue;
      try {
        const wasQuiet = await waitForQuiet();
        const numbers = await sample();
        if (round > 0) result.samples.push({ ...numbers, wasQuiet });
      } catch (error) {
        result.failure = error.message;
      }
    }
  }
  return results;
}

/** Gathers one number out of every sample. `undefined` for a contestant that is out. */
export function summarize(result, number) {
  if (result === undefined || result.failure !== undefined) return undefined;
  const sorted = result.samples.map((sample) => sample[number]).sort((a, b) => a - b);
  return {
    median: percentile(sorted, 0.5),
    lower: percentile(sorted, 0.25),
    upper: percentile(sorted, 0.75),
  };
}

/** The value at a share of a sorted list, interpolated between its two neighbours. */
export function percentile(sorted, share) {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

/** What a part hands on beside its table: who is out and why, how quiet it was, and every sample for `--json`. */
export function reportOf(contestants, results) {
  const failures = contestants
    .filter(({ id }) => results.get(id).failure !== undefined)
    .map(({ id, label, isPeer = false }) => ({ label, isPeer, reason: results.get(id).failure }));
  const samples = Object.fromEntries(contestants.map(({ id }) => [id, results.get(id).samples]));
  const taken = Object.values(samples).flat();
  const quiet = `${taken.filter(({ wasQuiet }) => wasQuiet).length} of ${taken.length}`;
  return { failures, quiet, samples };
}
