import { canonicalJson, isHuge, type JsonValue } from "../../model/index.ts";

/** The canonical JSON of a value; nothing where it would be longer, about, and then little of it is looked at. */
export function shortJson(value: JsonValue, longest: number): string | undefined {
  return roomAfter(value, longest) < 0 ? undefined : canonicalJson(value);
}

/** A name, as most are, and the signs around it. */
const SIGNS_OF_A_MEMBER = 8;

/** What is left of so many characters after the value. */
function roomAfter(value: JsonValue, room: number): number {
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null) return room - 1;
  if (isHuge(value)) return -1;
  const isList = Array.isArray(value);
  let left = room;
  for (const member of isList ? (value as readonly JsonValue[]) : Object.values(value)) {
    if (left < 0) break;
    left = roomAfter(member, left - (isList ? 1 : SIGNS_OF_A_MEMBER));
  }
  return left;
}
