import type { Agent } from "node:http";
import type { Duplex } from "node:stream";
import { nextTurn } from "../index.ts";
import { AGENT_OPTIONS } from "./route.ts";

/** Idle connections are checked after a pause of this length. A shorter one hardly leaves a server the time to close them. */
const PAUSE_MS = 250;

/** When each connection became idle. The system time also counts the time in which the machine was suspended. */
const idleSince = new WeakMap<Duplex, number>();
const lastRequest = new WeakMap<Agent, number>();

/**
 * Call it before every request. While this process is blocked, servers close idle connections and Node's own timer for them does not
 * fire. Closes connections that are too old, and returns a promise that lets Node notice which others are closed. Returns `undefined`
 * if there is nothing to wait for, as in most cases.
 */
export function checkIdleSockets(agent: Agent): Promise<void> | undefined {
  const now = Date.now();
  const last = lastRequest.get(agent);
  lastRequest.set(agent, now);
  if (last === undefined) agent.on("free", (socket: Duplex) => idleSince.set(socket, Date.now()));
  if (last === undefined || now - last < PAUSE_MS) return undefined;
  const idle = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
  const isOld = (socket: Duplex): boolean => now - (idleSince.get(socket) ?? now) >= AGENT_OPTIONS.timeout;
  for (const socket of idle.filter(isOld)) socket.destroy();
  return idle.every(isOld) ? undefined : nextLoopTurn();
}

/** Lets the event loop pass every phase once. One turn is not enough if it begins after the sockets were polled. */
async function nextLoopTurn(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
