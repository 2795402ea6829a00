import type { Ports } from "../../platform/index.ts";
import { type Challenge, parseChallenge } from "./challenge.ts";

/** Sends a request without credentials and returns the server's challenge. */
export async function probeServer(
  ports: Ports,
  url: URL,
  cancelled?: AbortSignal,
): Promise<Challenge | undefined> {
  const timer = new AbortController();
  const stop = ports.clock.after(10_000, () => timer.abort());
  try {
    const response = await ports.http.request({
      url,
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      signal: cancelled === undefined ? timer.signal : AbortSignal.any([timer.signal, cancelled]),
    });
    response.cancel();
    return response.status === 401 ? parseChallenge(response.headers.get("www-authenticate")) : undefined;
  } catch {
    return undefined; // the next step reports the problem
  } finally {
    stop();
  }
}
