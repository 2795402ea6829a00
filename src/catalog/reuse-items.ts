import { sameJson } from "../model/index.ts";
import { inTurns } from "../platform/index.ts";

/** What says the same as before is the very same as before: whatever was found out about it holds, and is not done again. */
export async function reuseItems<T>(
  before: readonly T[],
  items: readonly T[],
  idOf: (item: T) => string,
): Promise<readonly T[]> {
  if (before.length === 0) return items;
  const known = new Map(before.map((item) => [idOf(item), item]));
  const reused: T[] = [];
  await inTurns(items, (item) => {
    const same = known.get(idOf(item));
    return reused.push(same !== undefined && sameJson(same, item) ? same : item) > 0;
  });
  const isSame = before.length === reused.length && reused.every((item, at) => item === before[at]);
  return isSame ? before : reused;
}
