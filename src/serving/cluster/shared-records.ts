import { isJsonObject } from "../../model/index.ts";
import { type SessionRecords, type SessionState, stateOf, toSessionState } from "../client/saved-sessions.ts";
import { createSessionIds } from "../client/session-id.ts";
import type { Client, ClientFacts } from "../client-request.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { ownError } from "../rpc-error.ts";
import type { ServingCluster } from "./serving-cluster.ts";

const TOUCH_MS = 60_000;

/** Sessions that several gateways share. */
export function createSharedRecords(
  context: GatewayContext,
  { keysFor, sessions }: ServingCluster,
): SessionRecords {
  const { clock } = context.workspace.ports;
  const created = new Set<string>();
  const seenAt = new Map<string, number>();
  const writing = new Set<Promise<unknown>>();
  const track = async (work: Promise<unknown>): Promise<void> => {
    const tracked = work.catch(() => {}); // the next change is written again
    writing.add(tracked);
    await tracked;
    writing.delete(tracked);
  };
  return {
    ids: createSessionIds(() => keysFor("session ids")),
    async save(place: string, client: Client, facts: ClientFacts) {
      const { id } = client;
      const state = stateOf(context, client, facts);
      if (created.has(id)) return track(sessions.update(id, state));
      await sessions.create(id, endpointOf(place), state).catch(() => {
        throw ownError("busy", "The session cannot be stored now. Try again later.");
      });
      created.add(id);
      seenAt.set(id, clock.now());
    },
    touch(_place, { id }) {
      const now = clock.now();
      if (now - (seenAt.get(id) ?? 0) < TOUCH_MS) return;
      seenAt.set(id, now);
      void track(sessions.seen(id));
    },
    async find(place, id): Promise<SessionState | undefined> {
      const found = await sessions.load(id);
      if (found === undefined || found.endpoint !== endpointOf(place) || !isJsonObject(found.state))
        return undefined;
      created.add(id);
      return toSessionState(found.state);
    },
    remove(id) {
      created.delete(id);
      seenAt.delete(id);
      return track(sessions.remove(id));
    },
    leave(id) {
      created.delete(id);
      seenAt.delete(id);
    },
    async settled() {
      await Promise.all(writing);
    },
  };
}

/** A place is the path of an endpoint, or another resource that only one gateway has. */
function endpointOf(place: string): string {
  return place.split(" ", 1)[0] ?? "";
}
