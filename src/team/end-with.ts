import type { OutgoingResponse, ResponseStream } from "../platform/index.ts";

/** Returns a response that ends when the token of its request does: nothing is sent after that. */
export function endWith(response: OutgoingResponse, signal: AbortSignal): OutgoingResponse {
  let stream: ResponseStream | undefined;
  signal.addEventListener("abort", () => stream?.abort(), { once: true });
  return {
    send(status, headers, body) {
      if (signal.aborted) response.send(401, { "www-authenticate": 'Bearer error="invalid_token"' });
      else response.send(status, headers, body);
    },
    stream(status, headers) {
      stream = response.stream(status, headers);
      if (signal.aborted) stream.abort();
      return stream;
    },
    onClose: (callback) => response.onClose(callback),
  };
}
