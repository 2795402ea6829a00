import { canonicalJson, isHuge, isList, type JsonValue } from "../../model/index.ts";

/** Returns the canonical JSON of a value. Returns `undefined` early if it would be longer than about `longest` characters. */
export function shortJson(value: JsonValue, longest: number): string | undefined {
  return roomAfter(value, longest) < 0 ? undefined : canonicalJson(value);
}

/** An estimate of the length of a member's name and punctuation. */
const CHARACTERS_PER_MEMBER = 8;

/** Subtracts the length of a value from the remaining characters. */
function roomAfter(value: JsonValue, room: number): number {
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null) return room - 1;
  if (isHuge(value)) return -1;
  const perMember = isList(value) ? 1 : CHARACTERS_PER_MEMBER;
  let left = room;
  for (const member of isList(value) ? value : Object.values(value)) {
    if (left < 0) break;
    left = roomAfter(member, left - perMember);
  }
  return left;
}
