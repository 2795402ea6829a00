import type { MessageId } from "./wire/message.ts";

const ID = String.raw`"id"\s*:\s*(\d+|"[^"\\]{1,64}")\s*`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
const ID_FIRST = new RegExp(
  String.raw`^\s*\{\s*(?:${VERSION},\s*)?${ID},\s*(?:${VERSION},\s*)?"(?:result|error)"`,
);
const ANSWER_FIRST = new RegExp(String.raw`^\s*\{\s*(?:${VERSION},\s*)?"(?:result|error)"`);
/** The last brace of a line closes the message itself, so that a member right before it is one of the message. */
const ID_LAST = new RegExp(String.raw`,\s*${ID}(?:,\s*${VERSION})?\}\s*$`);

/** Which request a line that was too long to keep would have answered, from its two ends; nothing when that cannot be told. */
export function oversizedLineId(head: string, tail: string): MessageId | undefined {
  const match = ID_FIRST.exec(head) ?? (ANSWER_FIRST.test(head) ? ID_LAST.exec(tail) : undefined);
  const [, id = ""] = match ?? [];
  if (id === "") return undefined;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}
