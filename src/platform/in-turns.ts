/** Few enough that a turn stays short even where every item carries a large schema. */
const ITEMS_PER_TURN = 250;

/** Visits the items in order and lets others have their turn in between: ten thousand tools must not hold up the rest. Stops where the visit answers `false`. */
export async function inTurns<T>(
  items: readonly T[],
  visit: (item: T, index: number) => boolean,
): Promise<boolean> {
  const isLong = items.length > ITEMS_PER_TURN;
  let index = 0;
  for (const item of items) {
    if (isLong && index % ITEMS_PER_TURN === 0) await nextTurn();
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
export async function allInTurns<T, R>(
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
