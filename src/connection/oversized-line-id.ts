import type { MessageId } from "./wire/message.ts";

const ID = String.raw`"id"\s*:\s*(\d+|"[^"\\]{1,64}")\s*`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
const ID_AT_START = new RegExp(
  String.raw`^\s*\{\s*(?:${VERSION},\s*)?${ID},\s*(?:${VERSION},\s*)?"(?:result|error)"`,
);
const ANSWER_FIRST = new RegExp(String.raw`^\s*\{\s*(?:${VERSION},\s*)?"(?:result|error)"`);
/** The last brace of a line closes the message, so a member right before it belongs to the message itself. */
const ID_AT_END = new RegExp(String.raw`,\s*${ID}(?:,\s*${VERSION})?\}\s*$`);

/** Finds the request that an oversized line answers, from the two ends of the line. Returns `undefined` if it is unclear. */
export function oversizedLineId(head: string, tail: string): MessageId | undefined {
  const match = ID_AT_START.exec(head) ?? (ANSWER_FIRST.test(head) ? ID_AT_END.exec(tail) : undefined);
  const [, id = ""] = match ?? [];
  if (id === "") return undefined;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}
