import type { ConnectionState } from "../../connection/index.ts";
import type { Server, ServerState, ServerStateKind } from "../../model/index.ts";
import { decide, describeConnection, type Workspace } from "../../operations/index.ts";

/** The most informative state comes first: a server that works for one client works. */
const ORDER: readonly ConnectionState["kind"][] = [
  "connected",
  "installing",
  "connecting",
  "reconnecting",
  "needs_auth",
  "needs_client_registration",
  "failed",
  "idle",
];
const MOST_KEPT = 500;

/** A state, and since when. */
export interface PastState {
  readonly at: number;
  readonly state: ServerStateKind;
}

/** The sources of servers' states. */
export interface StateSource {
  readonly workspace: Workspace;
  /** Returns the states of a server's connections to clients. */
  connectionStates(server: string): readonly ConnectionState[];
}

/** The states of servers as a person sees them: one per server, whatever number of connections it has. */
export class ServerStates {
  readonly #source: StateSource;
  readonly #past = new Map<string, PastState[]>();

  constructor(source: StateSource) {
    this.#source = source;
  }

  /** Returns the state of a server. */
  of(server: Server): ServerState {
    const { workspace, connectionStates } = this.#source;
    const decision = decide(workspace, server);
    if (!decision.allowed) return { state: decision.reason, because: decision.because };
    const own = workspace.supervisor.state(server.name);
    const known = [...(own === undefined ? [] : [own]), ...connectionStates(server.name)];
    const rank = ({ kind }: ConnectionState): number => ORDER.indexOf(kind);
    const [first = { kind: "idle" } as const] = known.sort((one, other) => rank(one) - rank(other));
    return describeConnection(first);
  }

  /** Records the current states of one server, or of all. */
  record(name?: string): void {
    const { inventory, ports } = this.#source.workspace;
    const { servers } = inventory();
    const changed = name === undefined ? [...servers.values()] : [servers.get(name)];
    for (const server of changed) {
      if (server === undefined) continue;
      const past = this.#past.get(server.name) ?? [];
      const { state } = this.of(server);
      if (past.at(-1)?.state === state) continue;
      this.#past.set(server.name, [...past.slice(1 - MOST_KEPT), { at: ports.clock.now(), state }]);
    }
    for (const known of this.#past.keys()) if (!servers.has(known)) this.#past.delete(known);
  }

  /** Returns the states of a server since this process started, oldest first. */
  past(server: string): readonly PastState[] {
    return this.#past.get(server) ?? [];
  }
}
