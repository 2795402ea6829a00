import { isJsonObject } from "../model/index.ts";
import { inTurns } from "../platform/index.ts";

/** Do two lists say the same, item by item? The order of an object's keys does not matter. */
export async function sameItems(left: readonly unknown[], right: readonly unknown[]): Promise<boolean> {
  if (left === right) return true;
  return left.length === right.length && inTurns(left, (item, index) => same(item, right[index]));
}

function same(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => same(item, right[index]));
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
  );
}
