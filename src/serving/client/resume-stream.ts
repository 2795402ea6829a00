import type { OutgoingResponse } from "../../platform/index.ts";
import { INVALID_REQUEST, RpcError } from "../rpc-error.ts";
import type { Resumable } from "./http-answer.ts";

/** Continues a stream after the last event that the client received. Other streams are not affected. */
export function resumeStream(
  session: { readonly resumable: Resumable; openStreams: number },
  last: string,
  response: OutgoingResponse,
  headers: Readonly<Record<string, string>>,
): void {
  const missed = session.resumable.history.after(last);
  if (missed === undefined) {
    const error = new RpcError(INVALID_REQUEST, "The events after this one are no longer available.");
    const text = JSON.stringify({ jsonrpc: "2.0", id: null, error: error.toJson() });
    return response.send(400, { ...headers, "content-type": "application/json" }, text);
  }
  session.openStreams += 1;
  response.onClose(() => {
    session.openStreams -= 1;
  });
  missed.stream.owner.resume(response, headers, missed.events);
}
