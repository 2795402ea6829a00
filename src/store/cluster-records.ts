import type { JsonValue } from "../model/index.ts";

/** A session of a legacy client over HTTP. */
export interface SessionRow {
  readonly id: string;
  readonly person: string;
  /** The path of the endpoint. */
  readonly endpoint: string;
  /** The node that has the session's connections. */
  readonly owner: string;
  /** The epoch of the owner when it took the session. */
  readonly ownerEpoch: number;
  /** Increases when another node takes the session over. */
  readonly epoch: number;
  /** Version, capabilities, client, log level, subscriptions, upstream session ids. Encrypted in the database. */
  readonly state: JsonValue;
  readonly createdAt: number;
  /** When it was last used, to the minute. */
  readonly seenAt: number;
}

/** Legacy clients' sessions. A takeover is announced as a change of the kind `session` with the session's id. */
export interface SessionStore {
  create(
    session: Pick<SessionRow, "id" | "person" | "endpoint" | "owner" | "ownerEpoch" | "state">,
  ): Promise<void>;
  get(id: string): Promise<SessionRow | undefined>;
  /** Replaces the state if the session still has this epoch. Returns whether it was replaced. */
  update(id: string, epoch: number, state: JsonValue): Promise<boolean>;
  /** Records that sessions were used. */
  seen(ids: readonly string[]): Promise<void>;
  /**
   * Makes another node the owner and increases the epoch, if the session still has `epoch`. Returns the row, or `undefined` if another node
   * was faster.
   */
  takeOver(
    id: string,
    epoch: number,
    owner: { readonly node: string; readonly epoch: number },
  ): Promise<SessionRow | undefined>;
  /** Returns whether it existed. */
  remove(id: string): Promise<boolean>;
  /** Removes sessions that were not used since `before`. Returns their number. */
  removeUnused(before: number): Promise<number>;
}

/** A task that a gateway follows for a client. */
export interface TaskRow {
  /** The id that the client sees. */
  readonly id: string;
  readonly person: string;
  readonly server: string;
  readonly status: string;
  /** The server's own id of the task, and the other data for reaching it. Encrypted in the database. */
  readonly state: JsonValue;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The clients' tasks. Expired tasks are not returned. */
export interface TaskStore {
  create(task: Omit<TaskRow, "createdAt">): Promise<void>;
  /** Returns a person's task, or `undefined` if it does not exist or belongs to another person. */
  get(person: string, id: string): Promise<TaskRow | undefined>;
  list(person: string): Promise<readonly TaskRow[]>;
  /** Returns whether the person has the task. */
  update(task: Pick<TaskRow, "id" | "person" | "status" | "state" | "expiresAt">): Promise<boolean>;
  /** Returns whether it existed. */
  remove(person: string, id: string): Promise<boolean>;
}

/** The right to do something that only one process may do at a time. Expires unless it is renewed. */
export interface Lease {
  readonly key: string;
  readonly holder: string;
  /** Increases with every new holder of any lease, and never repeats. */
  readonly fence: number;
}

/** Leases. Only the database's clock decides when one ends. */
export interface LeaseStore {
  /** Takes a lease for `ms` milliseconds. Returns `undefined` if another holder has it. */
  acquire(key: string, holder: string, ms: number): Promise<Lease | undefined>;
  /** Extends a lease. Returns `false` if it ended, even if no other process has it. */
  renew(lease: Lease, ms: number): Promise<boolean>;
  /** Returns who has a lease, or `undefined` if it is free. */
  get(key: string): Promise<Lease | undefined>;
  /** Ends a lease. Does nothing if it has already ended. */
  release(lease: Lease): Promise<void>;
}

/** A gateway process. */
export interface GatewayNode {
  readonly id: string;
  /** Increases when the node must give up everything it has. */
  readonly epoch: number;
  /** Plugboard's version. */
  readonly version: string;
  /** Where other nodes reach it. */
  readonly address?: string;
  readonly isDraining: boolean;
  /** How long ago its last heartbeat was, in milliseconds, by the database's clock. */
  readonly ageMs: number;
}

/** The gateway processes of a team. */
export interface NodeStore {
  join(node: Pick<GatewayNode, "id" | "version" | "address">): Promise<GatewayNode>;
  /** Returns `false` if the node has another epoch now, or was removed. It must then give up everything it has and join again. */
  heartbeat(id: string, epoch: number, isDraining?: boolean): Promise<boolean>;
  /** Increases a node's epoch if it still is `epoch`, so that its writes are refused. Returns whether this process did it. */
  fence(id: string, epoch: number): Promise<boolean>;
  list(): Promise<readonly GatewayNode[]>;
  leave(id: string): Promise<void>;
}

/** Keys for data that gateways sign and encrypt themselves, such as session ids. They are stored encrypted. */
export interface KeyRing {
  /**
   * Returns the 256-bit keys for a purpose, the one for new values first. Earlier ones are kept as long as data that was encrypted with
   * them. A rotation raises the revision `keys` of the empty key.
   */
  keysFor(purpose: string): readonly Uint8Array[];
  /** Replaces the keys for new values, and re-encrypts all stored ones. Returns how many values were re-encrypted. */
  rotate(): Promise<number>;
}
