import { HostError, messageOf } from "../../model/index.ts";
import type { Http, HttpResponse } from "../../platform/index.ts";

/** An HTTP request of the program. */
export interface WebRequest {
  /** Default: `"GET"`. */
  readonly method?: "GET" | "POST";
  /** Header names in lower case, with their values. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body to send. */
  readonly body?: string;
  /** Cancels the request and its response. */
  readonly signal?: AbortSignal | undefined;
}

/** The response to a request. */
export interface WebResponse {
  /** The HTTP status code. */
  readonly status: number;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** The body, decompressed. It can be read once. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends a request with the proxies of the environment. Does not follow redirects. */
export async function sendRequest(
  http: Http,
  address: string,
  { method = "GET", headers = {}, body, signal }: WebRequest,
): Promise<WebResponse> {
  if (!URL.canParse(address)) throw new HostError("USAGE_INVALID", `Invalid URL: ${address}`);
  signal?.throwIfAborted();
  const response = await http.request({
    url: new URL(address),
    method,
    headers,
    ...(body !== undefined && { body }),
    signal,
  });
  signal?.addEventListener("abort", () => response.cancel(), { once: true });
  return { status: response.status, header: response.headers.get, body: readBody(response, signal) };
}

/** Yields the chunks of a body. The connection waits until a chunk is used. */
async function* readBody(
  response: HttpResponse,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let chunk: Uint8Array | undefined;
  let end: { readonly error: Error | undefined } | undefined;
  let goOn = (): void => {};
  let notify = (): void => {};
  const changed = (): void => notify();
  signal?.addEventListener("abort", changed);
  response.read(
    (data) => {
      chunk = data;
      changed();
      return new Promise((resolve) => {
        goOn = resolve;
      });
    },
    (error) => {
      end = { error };
      changed();
    },
  );
  try {
    for (;;) {
      signal?.throwIfAborted();
      if (chunk !== undefined) {
        const data = chunk;
        chunk = undefined;
        yield data;
        goOn();
      } else if (end !== undefined) {
        if (end.error !== undefined) throw new Error(messageOf(end.error), { cause: end.error });
        return;
      } else
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
    }
  } finally {
    signal?.removeEventListener("abort", changed);
    response.cancel();
  }
}
