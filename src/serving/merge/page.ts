import type { JsonObject, JsonValue } from "../../model/index.ts";
import { INVALID_PARAMS, RpcError } from "../rpc-error.ts";

/** The largest page. It is large because some clients read only the first page of tools and prompts. */
const LARGEST_PAGE = 8 * 1024 * 1024;

/** An item of a merged list, with its key. A cursor refers to the last item's key, so changes before it have no effect. */
export interface PagedItem {
  readonly key: string;
  readonly value: JsonObject;
}

/** Returns one page of a list. Throws an `RpcError` for a cursor that this function did not return. */
export function pageOf(
  items: readonly PagedItem[],
  cursor: JsonValue | undefined,
  largest: number = LARGEST_PAGE,
): { readonly values: JsonObject[]; readonly nextCursor?: string } {
  const after = cursor === undefined ? undefined : decode(cursor);
  const start = after === undefined ? 0 : items.findIndex(({ key }) => key === after) + 1;
  if (after !== undefined && start === 0) throw invalidCursor();
  const values: JsonObject[] = [];
  let size = 0;
  for (const { key, value } of items.slice(start)) {
    values.push(value);
    size += JSON.stringify(value).length;
    if (size > largest && start + values.length < items.length) return { values, nextCursor: encode(key) };
  }
  return { values };
}

const PREFIX = "pb1.";

function encode(key: string): string {
  return PREFIX + Buffer.from(key, "utf8").toString("base64url");
}

function decode(cursor: JsonValue): string {
  if (typeof cursor !== "string" || !cursor.startsWith(PREFIX)) throw invalidCursor();
  return Buffer.from(cursor.slice(PREFIX.length), "base64url").toString("utf8");
}

function invalidCursor(): RpcError {
  return new RpcError(INVALID_PARAMS, "Invalid cursor.");
}
