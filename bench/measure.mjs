/** Sampling in rounds, and statistics. Independent of what is measured. */
import { waitForQuiet } from "./quiet.mjs";

/**
 * Takes one sample of every program per round. Each round starts with another one, so that noise and order affect all
 * equally. Each sample first waits until the machine is quiet. A sample is an object of numbers. The first round, which fills the file cache, is discarded. A program whose
 * sample throws is excluded, with the reason; the others continue.
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

/** Returns one number of every sample, or `undefined` for an excluded program. */
export function summarize(result, number) {
  if (result === undefined || result.failure !== undefined) return undefined;
  const sorted = result.samples.map((sample) => sample[number]).sort((a, b) => a - b);
  return {
    median: percentile(sorted, 0.5),
    lower: percentile(sorted, 0.25),
    upper: percentile(sorted, 0.75),
  };
}

/** Returns a quantile of a sorted list, interpolated between its neighbours. */
export function percentile(sorted, share) {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

/** Returns the data of a part besides its table: excluded programs, quiet samples, and all samples for `--json`. */
export function reportOf(contestants, results) {
  const failures = contestants
    .filter(({ id }) => results.get(id).failure !== undefined)
    .map(({ id, label, isPeer = false }) => ({ label, isPeer, reason: results.get(id).failure }));
  const samples = Object.fromEntries(contestants.map(({ id }) => [id, results.get(id).samples]));
  const taken = Object.values(samples).flat();
  const quiet = `${taken.filter(({ wasQuiet }) => wasQuiet).length} of ${taken.length}`;
  return { failures, quiet, samples };
}
