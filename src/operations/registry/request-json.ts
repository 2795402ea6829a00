import { describeUnreachable } from "../../connection/index.ts";
import { codeOf, HostError, type JsonValue } from "../../model/index.ts";
import {
  type Cancellation,
  type HttpRequest,
  type HttpResponse,
  type Ports,
  readBodyText,
} from "../../platform/index.ts";

const TIMEOUT_MS = 15_000;

export interface JsonRequest {
  /** Larger responses are refused. */
  readonly mostBytes: number;
  /** The message for status 404. */
  readonly missing: string;
  readonly accept?: string;
  /** How many redirects to follow. Default: none. */
  readonly redirects?: number;
  /** Returns the check of a host's addresses, or throws if the URL must not be requested. */
  readonly guard?: (url: URL) => HttpRequest["allowAddress"];
  readonly signal?: Cancellation | undefined;
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new Error("its response is not JSON");
  }
}

/** Requests a JSON document of a registry. */
export async function requestJson(
  { http, clock }: Pick<Ports, "http" | "clock">,
  url: URL,
  { mostBytes, missing, accept = "application/json", redirects = 0, guard, signal }: JsonRequest,
): Promise<JsonValue> {
  const limit = new AbortController();
  const stop = (): void => limit.abort();
  const stopTimer = clock.after(TIMEOUT_MS, stop);
  signal?.addEventListener("abort", stop);
  try {
    const response = await follow(
      (target) =>
        http.request({
          url: target,
          method: "GET",
          headers: { accept },
          signal: limit.signal,
          allowAddress: guard?.(target),
        }),
      url,
      redirects,
    );
    const text = await readBodyText(response, mostBytes);
    if (response.status === 404) throw new HostError("SERVER_UNKNOWN", missing);
    if (response.status !== 200) throw new Error(`it answered with status ${response.status}`);
    if (text === undefined) throw new Error("its response is too large");
    return parseJson(text);
  } catch (error) {
    if (limit.signal.aborted && signal?.aborted !== true)
      throw new Error("it did not respond in time", { cause: error });
    const code = error instanceof HostError ? undefined : codeOf(error);
    if (code === undefined) throw error;
    throw new Error(describeUnreachable(code, url.origin).message, { cause: error });
  } finally {
    stopTimer();
    signal?.removeEventListener("abort", stop);
  }
}

async function follow(
  request: (url: URL) => Promise<HttpResponse>,
  url: URL,
  redirects: number,
): Promise<HttpResponse> {
  const response = await request(url);
  const location = response.headers.get("location");
  if (redirects === 0 || location === undefined || ![301, 302, 303, 307, 308].includes(response.status))
    return response;
  response.cancel();
  if (!URL.canParse(location, url.href)) throw new Error("it redirects to an invalid URL");
  return follow(request, new URL(location, url), redirects - 1);
}
