import { messageOf } from "../../model/index.ts";
import type { Message } from "./message.ts";
import { WireError } from "./wire-error.ts";

/**
 * Converts a message to JSON. A failure concerns only this message, so channels call this before anything whose failure ends the
 * connection.
 */
export function serialize(message: Message): string {
  try {
    return JSON.stringify(message);
  } catch (cause) {
    const [reason] = messageOf(cause).split("\n", 1);
    throw new WireError({ kind: "unsendable" }, `it cannot be converted to JSON: ${reason}`);
  }
}
