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

/** Lets others have their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
