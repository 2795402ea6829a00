import type { IncomingRequest } from "../../platform/index.ts";
import { PageFailure } from "./page-failure.ts";

/** Where pages are served. */
export interface PageSite {
  /** The origins under which browsers reach it, such as `http://127.0.0.1:7420`. */
  readonly origins: readonly string[];
  /** The path of the page, with a slash at the end. */
  readonly path: string;
}

/** Pages must not load anything from other origins, run inline scripts, be framed, or write HTML from a script. */
const CONTENT_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Headers of every response. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_POLICY,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cache-control": "no-store",
};

/** Headers that must not be sent twice, because two programs could each read another one. */
const SINGLE = /^(?:host|origin|cookie|authorization|content-type|x-plugboard|sec-fetch-.*)$/;
const FRAMES: ReadonlySet<string> = new Set(["iframe", "frame", "embed", "object", "fencedframe", "portal"]);

/** What a request is for. A `document` may be opened from anywhere, because its address alone gives no rights. */
export type RequestKind = "document" | "read" | "write";

/** Returns the origin of a request. Throws if it is not a request of the gateway's own page, or not for the gateway. */
export function ownOrigin(
  { headers, repeated }: Pick<IncomingRequest, "headers" | "repeated">,
  { origins }: PageSite,
  kind: RequestKind,
): string {
  const twice = repeated.find((name) => SINGLE.test(name));
  if (twice !== undefined) throw foreign(`The header ${twice} was sent twice.`);
  const host = headers["host"]?.toLowerCase() ?? "";
  // Another name for this address would belong to another site's page (DNS rebinding).
  const own = origins.find((origin) => origin.replace(/^[^/]*\/\//, "") === host);
  if (own === undefined) throw foreign("Unknown Host.");
  const { origin } = headers;
  if (origin !== undefined && origin !== own) throw foreign("Unknown Origin.");
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined && FRAMES.has(destination)) throw foreign("The page must not be framed.");
  const from = headers["sec-fetch-site"];
  const isOwn = from === undefined || from === "same-origin";
  const isOpened = kind === "document" && (from === "none" || destination === "document");
  if (!isOwn && !isOpened) throw foreign("The request comes from another page.");
  if (kind === "write" && (origin === undefined || headers["x-plugboard"] !== "1"))
    throw foreign("The request does not come from the dashboard.");
  return own;
}

function foreign(message: string): PageFailure {
  return new PageFailure(403, "PAGE_FOREIGN", message);
}

const isHttps = (origin: string): boolean => origin.startsWith("https:");

/** A cookie with the prefix is never accepted from another host, or over HTTP. Browsers require its path to be `/`. */
const cookieName = (origin: string): string => (isHttps(origin) ? "__Host-pb" : "pb");

/**
 * Returns the header that sets the session's cookie, or removes it. Over HTTP, other ports of this machine share cookies, so the cookie is
 * limited to the page's own path, which other programs do not know.
 */
export function cookieFor(origin: string, { path }: PageSite, id: string | undefined): string {
  const place = isHttps(origin) ? "Path=/; Secure" : `Path=${path}`;
  const life = id === undefined ? "; Max-Age=0" : "";
  return `${cookieName(origin)}=${id ?? ""}; ${place}; HttpOnly; SameSite=Strict${life}`;
}

const MOST_COOKIES = 8;

/** Returns the session ids in a request. Other programs on this machine can add cookies, so there may be several. */
export function sessionIds({ headers }: Pick<IncomingRequest, "headers">, origin: string): string[] {
  const prefix = `${cookieName(origin)}=`;
  return (headers["cookie"] ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length))
    .filter((id) => /^[\w-]{43}$/.test(id))
    .slice(0, MOST_COOKIES);
}
