import {
  type Clock,
  delay,
  type IncomingRequest,
  type OutgoingResponse,
  type PeerResponse,
} from "../../platform/index.ts";

/** Headers that gateways send each other. They are removed from what clients send. */
export const INTERNAL_PREFIX = "x-plugboard-";
/** The id and epoch of the node that a request is for. */
export const FOR_NODE = "x-plugboard-for";
/** The address of the client. */
export const CLIENT_ADDRESS = "x-plugboard-client";
/** Set if a request belongs to a call that continues after its session has moved. */
export const DETACHED = "x-plugboard-detached";
/** The status of a response from a node that is not the one that the request is for. */
export const MISDIRECTED = 421;

/** Headers that apply to one connection only, and headers that are computed again. */
const OF_CONNECTION =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|date|expect|x-plugboard-.*)$/;
/** The most data that is queued for a client that does not read. */
const MOST_UNSENT = 1024 * 1024;
const POLL_MS = 20;

type Headers = Readonly<Record<string, string>>;

/** Returns a request without the headers that only gateways may send. */
export function withoutInternalHeaders(request: IncomingRequest): IncomingRequest {
  const { headers } = request;
  if (!Object.keys(headers).some((name) => name.startsWith(INTERNAL_PREFIX))) return request;
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith(INTERNAL_PREFIX));
  return { ...request, headers: Object.fromEntries(kept), readBody: (limit) => request.readBody(limit) };
}

/** Returns a request whose body was already read. */
export function withBody(request: IncomingRequest, body: string): IncomingRequest {
  return { ...request, readBody: async (limit) => (body.length > limit ? undefined : body) };
}

/** Returns the headers that are passed on. */
export function passedOn(headers: Readonly<Record<string, string | undefined>>): Headers {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_CONNECTION.test(name) ? [] : [[name, value]],
    ),
  );
}

/**
 * Answers a client with another node's response. A stream is passed on as it arrives. Rejects if the other node is lost in the middle of
 * the response.
 */
export async function passBack(
  { status, headers, body }: PeerResponse,
  response: OutgoingResponse,
  more: Headers,
  clock: Clock,
): Promise<void> {
  const kept = { ...passedOn(headers), ...more };
  if (!/^text\/event-stream\b/.test(headers["content-type"] ?? "")) {
    let text = "";
    for await (const piece of body) text += piece;
    return response.send(status, kept, text);
  }
  const stream = response.stream(status, kept);
  const closed = new AbortController();
  response.onClose(() => closed.abort());
  try {
    for await (const piece of body) {
      let unsent = stream.write(piece);
      while (unsent > MOST_UNSENT && !closed.signal.aborted) {
        await delay(clock, POLL_MS);
        unsent = stream.write("");
      }
      if (closed.signal.aborted) return;
    }
    stream.end();
  } catch {
    stream.abort(); // the client continues the stream over a new connection
  }
}
