/** How many times the limit of one request all pages of a list may take together. */
const TIMES_PER_LIST = 5;

/**
 * Limits the time that all pages of a list take: a server that answers each page just in time could otherwise keep the
 * caller waiting forever. Returns how long the next page may take, or `undefined` if no time is left.
 */
export function createListBudget(elapsed: () => number, timeoutMs: number): () => number | undefined {
  const end = elapsed() + TIMES_PER_LIST * timeoutMs;
  return () => {
    const left = end - elapsed();
    return left > 0 ? Math.min(timeoutMs, left) : undefined;
  };
}
