/** How long a loop may run before other work gets its turn, and how many items it may visit. */
const SLICE_MS = 15;
const ITEMS_PER_SLICE = 250;

/**
 * Keeps a long loop from blocking the process. Returns a function to call before each item: it returns a promise to wait for
 * when the loop has run long enough. A number of items alone would not do, because servers choose how large the items are.
 */
export function createPace(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let startedAt = now();
  let count = 0;
  return () => {
    count += 1;
    if (count <= ITEMS_PER_SLICE && now() - startedAt < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      startedAt = now();
      count = 1;
    });
  };
}

/** Visits the items in order and lets other work run in between. Stops where the visit returns `false`. */
export async function forEachYielding<T>(
  items: readonly T[],
  visit: (item: T, index: number) => boolean,
  pace: () => Promise<void> | undefined = createPace(),
): Promise<boolean> {
  let index = 0;
  for (const item of items) {
    const pause = pace();
    if (pause !== undefined) await pause;
    if (!visit(item, index)) return false;
    index += 1;
  }
  return true;
}

/** Few enough that what they do without waiting stays short, each with some dozens of tools. */
const STARTS_PER_TURN = 20;

/**
 * Starts something for every item and waits for all, like `Promise.all`, with turns for others in between: what a thousand
 * servers offer is in the cache as a rule, and nothing of it waits for anything.
 */
export async function mapYielding<T, R>(
  items: readonly T[],
  start: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const started: Promise<R>[] = [];
  for (const item of items) {
    if (started.length > 0 && started.length % STARTS_PER_TURN === 0) await nextTurn();
    const one = start(item);
    one.catch(() => {}); // told of at the end; it must not count as unheard until then
    started.push(one);
  }
  return Promise.all(started);
}

/** Lets others have their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
