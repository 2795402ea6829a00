/** Returns the candidate that is most similar to a mistyped word, or `undefined` if none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1; // every third letter may be wrong
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    const areSimilar = distance < Math.max(wanted.length, candidate.length);
    if (distance < bestDistance && areSimilar) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

const LONGEST = 64;
/** Reused by every comparison. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(LONGEST + 1)) as [Uint8Array, Uint8Array, Uint8Array];

/**
 * Returns the number of insertions, deletions, replacements and swaps of adjacent letters. Stops early and returns
 * `most` if the distance is not smaller, which keeps a search through ten thousand names fast. Long words are cut to
 * bound the cost.
 */
function editDistance(left: string, right: string, most: number): number {
  const [height, width] = [Math.min(left.length, LONGEST), Math.min(right.length, LONGEST)];
  if (Math.abs(height - width) >= most) return most;
  let [older, previous, current] = ROWS;
  for (let j = 0; j <= width; j += 1) previous[j] = j;
  let leastBefore = 0;
  for (let i = 1; i <= height; i += 1) {
    const letter = left.charCodeAt(i - 1);
    const letterBefore = left.charCodeAt(i - 2);
    current[0] = i;
    let least = i;
    for (let j = 1; j <= width; j += 1) {
      const other = right.charCodeAt(j - 1);
      let cost = (previous[j - 1] ?? 0) + (letter === other ? 0 : 1);
      cost = Math.min(cost, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && letterBefore === other && letter === right.charCodeAt(j - 2))
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1);
      current[j] = cost;
      if (cost < least) least = cost;
    }
    if (least >= most && leastBefore >= most) return most; // a swap looks back two rows, and nothing looks further
    leastBefore = least;
    [older, previous, current] = [previous, current, older];
  }
  return previous[width] ?? 0;
}
