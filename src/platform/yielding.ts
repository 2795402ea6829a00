/** The time and the number of items after which a loop lets other work run. */
const SLICE_MS = 15;
const ITEMS_PER_SLICE = 250;

/**
 * Keeps a long loop from blocking the process. Returns a function to call before each item. If the loop has run long
 * enough, that function returns a promise to await. Counting items is not enough, because servers control how large the
 * items are.
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

/**
 * Visits the items in order and lets other work run in between. Stops and returns `false` if `visit` returns `false`.
 */
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

/** Few enough that their synchronous part stays short, even if each item has dozens of tools. */
const STARTS_PER_TURN = 20;

/**
 * Starts work for every item and waits for all of it, like `Promise.all`, but lets other work run in between. With a
 * thousand servers whose tools are cached, nothing would wait, and the loop would block the process.
 */
export async function mapYielding<T, R>(
  items: readonly T[],
  start: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const started: Promise<R>[] = [];
  for (const item of items) {
    if (started.length > 0 && started.length % STARTS_PER_TURN === 0) await nextTurn();
    const promise = start(item);
    promise.catch(() => {}); // reported by Promise.all; must not count as an unhandled rejection until then
    started.push(promise);
  }
  return Promise.all(started);
}

/** Lets other work run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
