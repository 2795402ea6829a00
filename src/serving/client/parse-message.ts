import { parseJsonInSlices, TooManyValuesError } from "../../platform/index.ts";
import { INVALID_REQUEST, RpcError } from "../rpc-error.ts";

const PARSE_ERROR = -32700;
/** Shorter messages are parsed at once. */
export const LONG_MESSAGE: number = 64 * 1024;

/** Parses a message of a client, a long one in slices. Rejects with an `RpcError`. */
export async function parseMessage(text: string): Promise<unknown> {
  if (text.length <= LONG_MESSAGE) return parseAtOnce(text);
  try {
    return await parseJsonInSlices(text);
  } catch (error) {
    if (error instanceof TooManyValuesError)
      throw new RpcError(INVALID_REQUEST, "The message contains too many values.");
    throw invalidJson();
  }
}

/** Parses a message at once. Throws an `RpcError`. */
export function parseAtOnce(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw invalidJson();
  }
}

function invalidJson(): RpcError {
  return new RpcError(PARSE_ERROR, "The message is not valid JSON.");
}
