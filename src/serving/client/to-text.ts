import { isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import { jsonWeight } from "../../platform/index.ts";
import { ownError } from "../rpc-error.ts";
import { preparedText } from "./prepared-text.ts";

/** Only the beginning of a large response is checked. */
const LIMITS = { depth: 2_000, weight: 1024 * 1024 };

/**
 * Converts a message for a client to JSON. If a server's response cannot be converted, for example because of its nesting, the client gets
 * an error.
 */
export function toText(message: JsonObject): string {
  const { id, method, result } = message;
  const isResponse = id !== undefined && method === undefined;
  const prepared = isResponse && isJsonObject(result) ? preparedText(result) : undefined;
  if (prepared !== undefined) return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${prepared}}`;
  try {
    // Some versions of Node convert any depth, and the client could then fail.
    if (isResponse && jsonWeight(message, LIMITS) === "deep") return tooDeep(id);
    return JSON.stringify(message);
  } catch (error) {
    if (!isResponse) throw error;
    return tooDeep(id);
  }
}

function tooDeep(id: JsonValue): string {
  const failure = ownError("failed", "The server's answer is nested too deeply.");
  return JSON.stringify({ jsonrpc: "2.0", id, error: failure.toJson() });
}
