import type { JsonObject } from "../../model/index.ts";
import { ownError } from "../rpc-error.ts";

/**
 * Converts a message for a client to JSON. If a server's response cannot be converted, for example because of its nesting, the client gets
 * an error.
 */
export function toText(message: JsonObject): string {
  try {
    return JSON.stringify(message);
  } catch (error) {
    const { id, method } = message;
    if (id === undefined || method !== undefined) throw error;
    const failure = ownError("failed", "The server's answer is nested too deeply.");
    return JSON.stringify({ jsonrpc: "2.0", id, error: failure.toJson() });
  }
}
