import type { Transport } from "@modelcontextprotocol/client";
import { type Clock, settledWithin } from "../platform/index.ts";

/** How long closing waits for what was already said, such as that a call is cancelled. */
const LAST_NOTICE_MS = 500;

/** Follows the notifications on their way out: over HTTP, closing would take them back. The answer waits for them. */
export function followNotices(transport: Transport, clock: Clock): () => Promise<void> {
  const onTheirWay = new Set<Promise<void>>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sent = send(message, options);
    if ("id" in message) return sent;
    onTheirWay.add(sent);
    const arrived = (): void => void onTheirWay.delete(sent);
    void sent.then(arrived, arrived);
    return sent;
  };
  return async () => {
    if (onTheirWay.size > 0) await settledWithin(clock, LAST_NOTICE_MS, Promise.allSettled(onTheirWay));
  };
}
