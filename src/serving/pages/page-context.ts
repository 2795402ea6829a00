import type { JsonObject } from "../../model/index.ts";
import type { HttpServer } from "../client/http-server.ts";
import type { GatewayContext } from "../gateway-context.ts";
import type { PageTopic } from "./api/page.ts";
import { invalidRequest } from "./page-failure.ts";
import type { PageHost } from "./page-host.ts";
import type { PageLists } from "./page-lists.ts";

/** The sources of the pages' documents. */
export interface PageContext {
  readonly gateway: GatewayContext;
  readonly host: PageHost;
  readonly lists: PageLists;
  /** Returns the revision of a topic. It changes whenever its document may have changed. */
  revision(topic: PageTopic): number;
  /** Notifies pages that these topics may have changed. */
  touch(...topics: PageTopic[]): void;
  /** Returns the servers that listen for clients over HTTP. */
  httpServers(): readonly HttpServer[];
}

/** Returns a text of a request. Throws if it is missing or too long. */
export function textIn(body: JsonObject, key: string, most = 1_000): string {
  const text = body[key];
  if (typeof text === "string" && text !== "" && text.length <= most) return text;
  throw invalidRequest(`"${key}" must be a text of at most ${most} characters.`);
}

/** Returns an optional text of a request. */
export function optionalTextIn(body: JsonObject, key: string): string | undefined {
  return body[key] === undefined ? undefined : textIn(body, key);
}

/** Returns a whole number of a query. Throws if it is out of range. */
export function numberIn(
  query: URLSearchParams,
  name: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: { readonly least?: number; readonly most?: number } = {},
): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw invalidRequest(`"${name}" must be a whole number from ${least} to ${most}.`);
}
