import { codeOf, isHostError, maskUrl, messageOf } from "../../model/index.ts";
import {
  type Cancellation,
  type Clock,
  type Http,
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  isSameOrigin,
  readBodyText,
} from "../../platform/index.ts";
import { WireError } from "../wire/wire-error.ts";
import { readExplanation } from "./read-explanation.ts";

const MOST_REDIRECTS = 3;

export interface ExchangeOptions {
  /** The request may be sent again if a reused connection turns out to be closed. */
  readonly repeatable: boolean;
  /** Called with the final URL after a redirect. */
  onMoved?(url: URL): void;
}

/** Sends a request and follows redirects within the same origin, so that headers are never sent elsewhere. */
export async function exchange(
  http: Http,
  request: HttpRequest,
  { repeatable, onMoved }: ExchangeOptions,
): Promise<HttpResponse> {
  let { url } = request;
  for (let hop = 0; ; hop += 1) {
    const response = await attempt(http, hop === 0 ? request : { ...request, url }, repeatable);
    const target = response.status < 300 || response.status > 399 ? undefined : targetOf(response, url);
    if (target === undefined) {
      if (hop > 0) onMoved?.(url);
      return response;
    }
    response.cancel();
    if (!isSameOrigin(target, url) || !keepsMethod(response.status, request.method))
      throw redirectError(response.status, target);
    if (hop >= MOST_REDIRECTS)
      throw new WireError({ kind: "status", status: response.status }, "it redirects too many times");
    url = target;
  }
}

async function attempt(http: Http, request: HttpRequest, repeatable: boolean): Promise<HttpResponse> {
  try {
    return await http.request(request);
  } catch (error) {
    if (isHostError(error)) throw error; // the user has to act
    const failure = toWireError(error, request.signal);
    const isStale = failure.failure.kind === "unreachable" && failure.failure.reused === true;
    if (!isStale || !repeatable) throw failure;
  }
  try {
    return await http.request(request);
  } catch (error) {
    throw isHostError(error) ? error : toWireError(error, request.signal);
  }
}

function toWireError(error: unknown, signal: Cancellation | undefined): WireError {
  if (signal?.aborted)
    return new WireError({ kind: "aborted" }, "the request was cancelled", { cause: error });
  const { sent = true, reused = false } = error as Partial<HttpFailure>;
  const code = codeOf(error);
  const reason = code === undefined || code === "EPROXY" ? messageOf(error) : code;
  return new WireError({ kind: "unreachable", reason, sent, reused }, reason, { cause: error });
}

function targetOf({ headers }: HttpResponse, from: URL): URL | undefined {
  const location = headers.get("location");
  return location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/** 301, 302 and 303 turn a POST into a GET, so they are only followed for a GET. */
function keepsMethod(status: number, method: string): boolean {
  return status === 307 || status === 308 || (method === "GET" && [301, 302, 303].includes(status));
}

function redirectError(status: number, target: URL): WireError {
  const location = maskUrl(target.href);
  return new WireError({ kind: "status", status, location }, `it redirects to ${location}`);
}

/** Reads the body as text. Rejects if it is larger than `limit` bytes. */
export async function readText(response: HttpResponse, limit: number): Promise<string> {
  const text = await readBodyText(response, limit).catch((cause: unknown) => {
    const message = "the connection was closed before the response was complete";
    throw new WireError({ kind: "streamLost" }, message, { cause });
  });
  if (text !== undefined) return text;
  const megabytes = Math.round(limit / 1024 / 1024);
  throw new WireError({ kind: "tooLarge" }, `the response is larger than ${megabytes} MB`);
}

/** The error for an error response. `body` is what the server sent with it. */
export function statusError({ status, headers }: HttpResponse, clock: Clock, body = ""): WireError {
  const challenge = headers.get("www-authenticate");
  const waitMs = retryAfterMs(headers.get("retry-after"), clock.now());
  const explanation = readExplanation(body, status, headers.get("content-type"));
  return new WireError(
    {
      kind: "status",
      status,
      ...(challenge !== undefined && { challenge }),
      ...(waitMs !== undefined && { retryAfterMs: waitMs }),
      ...(explanation !== undefined && { explanation }),
    },
    `HTTP ${status}`,
  );
}

/** Returns the delay of a `Retry-After` header in milliseconds. The header contains seconds or a date. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
