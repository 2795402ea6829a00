import type { RelayedAnswer } from "../../operations/index.ts";
import type { Clock } from "../../platform/index.ts";
import type { Client } from "../client-request.ts";
import { ownError } from "../rpc-error.ts";
import { invalidState, LONGEST_WAIT_MS } from "./request-state.ts";
import type { SuspendableCall } from "./suspendable-call.ts";

/** How many calls of one client may wait for answers. */
const MOST_PER_CLIENT = 64;

interface Kept {
  readonly client: Client["id"];
  readonly server: string;
  readonly call: SuspendableCall<RelayedAnswer>;
  stopTimer: () => void;
}

/** Calls that wait for a modern client's answers, up to a time limit. */
export class SuspendedCalls {
  readonly #clock: Clock;
  readonly #calls = new Map<string, Kept>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many calls wait. */
  get size(): number {
    return this.#calls.size;
  }

  /** Keeps a call, and restarts its time limit if it is already kept. Throws if the client has too many. */
  keep(client: Client, server: string, call: SuspendableCall<RelayedAnswer>): void {
    this.#calls.get(call.id)?.stopTimer();
    const isNew = !this.#calls.has(call.id);
    const mine = Array.from(this.#calls.values()).filter((kept) => kept.client === client.id).length;
    if (isNew && mine >= MOST_PER_CLIENT) {
      call.end("Too many calls are waiting for answers.");
      throw ownError("busy", "Too many calls are waiting for answers.");
    }
    const stopTimer = this.#clock.after(LONGEST_WAIT_MS, () => this.#expire(call.id), { background: true });
    this.#calls.set(call.id, { client: client.id, server, call, stopTimer });
  }

  /** Returns a call of this client to this server. Throws the same error for unknown calls and for others. */
  find(client: Client, id: string, server: string): SuspendableCall<RelayedAnswer> {
    const kept = this.#calls.get(id);
    if (kept === undefined || kept.client !== client.id || kept.server !== server) throw invalidState();
    return kept.call;
  }

  forget(id: string): void {
    this.#calls.get(id)?.stopTimer();
    this.#calls.delete(id);
  }

  /** Ends the calls of a client, or all. */
  end(client?: Client): void {
    for (const [id, { call, client: owner }] of this.#calls) {
      if (client !== undefined && owner !== client.id) continue;
      this.forget(id);
      call.end("The client disconnected.");
    }
  }

  #expire(id: string): void {
    this.#calls.get(id)?.call.end("The client did not answer in time.");
    this.forget(id);
  }
}
