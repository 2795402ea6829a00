/** How quickly lower ranks lose weight. With the usual 60, two mediocre ranks would beat a first place. */
const K = 2;

/**
 * Merges ranked lists by reciprocal rank fusion: items that several lists rank high come first. `weigh` prefers some items. A bonus of 1
 * counts as much as the first place in every list.
 */
export function fuseRanks<T>(
  lists: readonly (readonly T[])[],
  weigh: (item: T) => number = () => 1,
  bonuses: ReadonlyMap<T, number> = new Map(),
): T[] {
  if (lists.length === 1 && bonuses.size === 0) return [...(lists[0] ?? [])];
  const scores = new Map<T, number>();
  for (const [item, bonus] of bonuses) scores.set(item, (bonus * lists.length) / (K + 1));
  for (const list of lists)
    for (const [place, item] of list.entries())
      scores.set(item, (scores.get(item) ?? 0) + weigh(item) / (K + place + 1));
  return [...scores].sort(([, one], [, other]) => other - one).map(([item]) => item);
}
