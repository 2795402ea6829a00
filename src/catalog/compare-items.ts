import { isEqualJson } from "../model/index.ts";
import { forEachYielding } from "../platform/index.ts";
import { wireOf } from "./wire-definitions.ts";

/** Compares two definitions, both as parsed and as their server sent them. */
function isSameItem(left: unknown, right: unknown): boolean {
  if (!isEqualJson(left, right)) return false;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return true;
  return isEqualJson(wireOf(left), wireOf(right));
}

/** Returns whether two lists have equal items in the same order. */
export async function sameItems(left: readonly unknown[], right: readonly unknown[]): Promise<boolean> {
  if (left === right) return true;
  return (
    left.length === right.length && forEachYielding(left, (item, index) => isSameItem(item, right[index]))
  );
}

/** Replaces items that equal an earlier item with that object, so that results cached by identity stay valid. */
export async function reuseItems<T>(
  before: readonly T[],
  items: readonly T[],
  idOf: (item: T) => string,
): Promise<readonly T[]> {
  if (before.length === 0) return items;
  const known = new Map(before.map((item) => [idOf(item), item]));
  const reused: T[] = [];
  await forEachYielding(items, (item) => {
    const same = known.get(idOf(item));
    return reused.push(same !== undefined && isSameItem(same, item) ? same : item) > 0;
  });
  const isSame = before.length === reused.length && reused.every((item, at) => item === before[at]);
  return isSame ? before : reused;
}
