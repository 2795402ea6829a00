import type { HostDoctor } from "../../../../index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The response headers that model clients read. */
const HEADERS = ["content-type", "location", "request-id", "retry-after", "retry-after-ms", "x-request-id"];

/** Returns a `fetch` that uses the environment's proxies, which Node's own does not on every version. */
export function createFetch(
  host: { readonly doctor: Pick<HostDoctor, "request"> },
  env: Variables,
): typeof fetch {
  if (!["http_proxy", "https_proxy", "all_proxy"].some((name) => env[name] ?? env[name.toUpperCase()]))
    return fetch;
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const { status, header, body } = await host.doctor.request(url, {
      method: init.method?.toUpperCase() === "POST" ? "POST" : "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === "string" && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
    });
    if (init.redirect === "error" && status >= 300 && status < 400) throw new TypeError(`${url} redirects`);
    const headers = HEADERS.flatMap((name) => {
      const value = header(name);
      return value === undefined ? [] : [[name, value] as [string, string]];
    });
    const hasBody = status >= 200 && ![204, 205, 304].includes(status);
    const response = new Response(hasBody ? toStream(body) : null, {
      status: Math.max(200, status),
      headers,
    });
    Object.defineProperty(response, "url", { value: url });
    return response;
  };
}

function toStream(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
