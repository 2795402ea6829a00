import { HostError, type JsonValue } from "../../model/index.ts";
import { type Cancellation, type Ports, readBodyText } from "../../platform/index.ts";

const TIMEOUT_MS = 15_000;

export interface JsonRequest {
  /** Larger responses are refused. */
  readonly mostBytes: number;
  /** The message for status 404. */
  readonly missing: string;
  readonly accept?: string;
  readonly signal?: Cancellation | undefined;
}

/** Requests a JSON document of a registry. Does not follow redirects. */
export async function requestJson(
  { http, clock }: Pick<Ports, "http" | "clock">,
  url: URL,
  { mostBytes, missing, accept = "application/json", signal }: JsonRequest,
): Promise<JsonValue> {
  const limit = new AbortController();
  const stop = (): void => limit.abort();
  const stopTimer = clock.after(TIMEOUT_MS, stop);
  signal?.addEventListener("abort", stop);
  try {
    const response = await http.request({ url, method: "GET", headers: { accept }, signal: limit.signal });
    const text = await readBodyText(response, mostBytes);
    if (response.status === 404) throw new HostError("SERVER_UNKNOWN", missing);
    if (response.status !== 200) throw new Error(`it answered with status ${response.status}`);
    if (text === undefined) throw new Error("its response is too large");
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (limit.signal.aborted && signal?.aborted !== true)
      throw new Error("it did not respond in time", { cause: error });
    throw error;
  } finally {
    stopTimer();
    signal?.removeEventListener("abort", stop);
  }
}
