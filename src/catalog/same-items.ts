import { sameJson } from "../model/index.ts";
import { inTurns } from "../platform/index.ts";

/** Do two lists say the same, item by item? */
export async function sameItems(left: readonly unknown[], right: readonly unknown[]): Promise<boolean> {
  if (left === right) return true;
  return left.length === right.length && inTurns(left, (item, index) => sameJson(item, right[index]));
}
