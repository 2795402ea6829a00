import type { JsonObject, JsonValue } from "../../model/index.ts";
import { jsonWeight } from "../../platform/index.ts";
import { INVALID_PARAMS, RpcError } from "../rpc-error.ts";

/** The largest page. It is large because some clients read only the first page of tools and prompts. */
const LARGEST_PAGE = 8 * 1024 * 1024;
/** A response with more levels is not converted here, see `toText`. */
const DEEPEST = { depth: 256, weight: Number.POSITIVE_INFINITY };

/** An item of a merged list, with its key. A cursor refers to the last item's key, so changes before it have no effect. */
export interface PagedItem {
  readonly key: string;
  readonly value: JsonObject;
}

/** One page of a list. */
interface Page {
  readonly values: JsonObject[];
  /** The values as one JSON list, unless a value has too many levels. */
  readonly text: string | undefined;
  readonly nextCursor?: string;
}

/** Longer pages are not kept, because each is kept in addition to its items. */
const LONGEST_KEPT = 1024 * 1024;

/** The first pages of lists, which never change. */
const firstPages = new WeakMap<readonly PagedItem[], Page>();

/** Returns the first page of a list, which must not change later. The same list has the same page. */
export function firstPageOf(items: readonly PagedItem[]): Page {
  const known = firstPages.get(items);
  if (known !== undefined) return known;
  const page = pageOf(items, undefined);
  if (page.text !== undefined && page.text.length <= LONGEST_KEPT) firstPages.set(items, page);
  return page;
}

/** Returns one page of a list. Throws an `RpcError` for a cursor that this function did not return. */
export function pageOf(
  items: readonly PagedItem[],
  cursor: JsonValue | undefined,
  largest: number = LARGEST_PAGE,
): Page {
  const after = cursor === undefined ? undefined : decode(cursor);
  const start = after === undefined ? 0 : items.findIndex(({ key }) => key === after) + 1;
  if (after !== undefined && start === 0) throw invalidCursor();
  const values: JsonObject[] = [];
  const texts: string[] = [];
  let size = 0;
  for (const { key, value } of items.slice(start)) {
    values.push(value);
    const text = textOf(value);
    if (text !== undefined) texts.push(text);
    size += text?.length ?? largest;
    if (size > largest && start + values.length < items.length)
      return { values, text: toList(values, texts), nextCursor: encode(key) };
  }
  return { values, text: toList(values, texts) };
}

function toList(values: readonly JsonObject[], texts: readonly string[]): string | undefined {
  return texts.length === values.length ? `[${texts.join(",")}]` : undefined;
}

/** Items are the same objects as long as a server's list is the same, and most clients get the same items. */
const texts = new WeakMap<JsonObject, string | undefined>();

function textOf(value: JsonObject): string | undefined {
  if (!texts.has(value)) {
    const isFlat = typeof jsonWeight(value, DEEPEST) === "number";
    texts.set(value, isFlat ? JSON.stringify(value) : undefined);
  }
  return texts.get(value);
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
