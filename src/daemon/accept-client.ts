import { randomBytes } from "node:crypto";
import { isJsonObject } from "../model/index.ts";
import type { Clock, LocalSocket } from "../platform/index.ts";
import { type Hello, isSameProof, parseHello, parseMessage, proofOf } from "./daemon-messages.ts";

/** How long a client may take to send its first message. */
const HELLO_MS = 5_000;

/** Verifies that a client belongs to the same user. Resolves with its hello, or with `undefined` if it is refused. */
export async function acceptClient(
  socket: LocalSocket,
  key: string,
  clock: Pick<Clock, "after">,
): Promise<Hello | undefined> {
  const stopTimer = clock.after(HELLO_MS, () => socket.close(), { background: true });
  try {
    const { nonce: theirs } = parseMessage(await socket.nextLine()) ?? {};
    if (typeof theirs !== "string") return refuse(socket);
    const nonces = [theirs, randomBytes(16).toString("hex")];
    socket.send(JSON.stringify({ nonce: nonces[1] ?? "", proof: proofOf(key, "daemon", nonces) }));
    const { proof, hello } = parseMessage(await socket.nextLine()) ?? {};
    if (!isSameProof(proof, proofOf(key, "client", nonces)) || !isJsonObject(hello)) return refuse(socket);
    return parseHello(hello) ?? refuse(socket);
  } finally {
    stopTimer();
  }
}

function refuse(socket: LocalSocket): undefined {
  socket.close();
}
