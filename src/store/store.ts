import type { Stores } from "../state/index.ts";
import type { AuditLog } from "./audit-log.ts";
import type { KeyRing, LeaseStore, NodeStore, SessionStore, TaskStore } from "./cluster-records.ts";
import type {
  CallApprovalStore,
  ManagedServerStore,
  PeopleStore,
  PolicyStore,
  TicketStore,
  TokenStore,
} from "./team-records.ts";

/**
 * What the gateways of a team remember together. All times are milliseconds since 1970. If the database cannot be reached, methods reject
 * with `STORE_UNAVAILABLE`, so no call of a client should wait for them.
 */
export interface Store {
  readonly people: PeopleStore;
  readonly tokens: TokenStore;
  readonly policies: PolicyStore;
  readonly servers: ManagedServerStore;
  /** Page sessions, one-time links and sign-ins in progress. */
  readonly tickets: TicketStore;
  readonly callApprovals: CallApprovalStore;
  /** Sign-ins, approvals, pins, lists and secrets, as `createHost({ stores })` takes them. The principal is a person's id, or "". */
  readonly stores: Required<Stores>;
  readonly sessions: SessionStore;
  readonly tasks: TaskStore;
  readonly leases: LeaseStore;
  readonly nodes: NodeStore;
  readonly revisions: Revisions;
  readonly audit: AuditLog;
  readonly keys: KeyRing;
  /** Returns whether the store can be used now. */
  health(): StoreHealth;
  /** Removes what has expired, and audit entries that are too old. Gateways do it every hour. */
  maintain(): Promise<void>;
  /** Writes what is waiting and closes all connections. */
  close(): Promise<void>;
}

/** The data whose changes `Revisions` counts. */
export type RevisionKind =
  | "people"
  | "tokens"
  | "policy"
  | "servers"
  | "approvals"
  | "call_approvals"
  | "catalog"
  | "session"
  | "sign_in"
  | "keys";

/** A change that another process, or this one, has committed. */
export interface Change {
  readonly kind: RevisionKind;
  /**
   * What changed, such as a person's id or a server's name. Long keys are replaced by their hash. Takeovers of sessions are not counted: for
   * the kind `session`, an empty key means that any session may have been taken over while changes could not be announced.
   */
  readonly key: string;
}

/**
 * Announces rare changes to all gateways. Each change raises a revision in its own transaction. A listener that was disconnected compares
 * the revisions, so no change is missed: it may be announced late, or several changes of one key at once.
 */
export interface Revisions {
  /** Calls the listener for every change, and returns an unsubscribe function. Errors thrown by a listener are logged. */
  subscribe(listener: (change: Change) => void): () => void;
  /** Raises a revision for a change that is not stored with one of the other methods. */
  raise(kind: RevisionKind, key: string): Promise<void>;
  /** Returns whether changes are announced now, after asking the database. */
  isResponding?(): Promise<boolean>;
}

/** Whether a store can be used. */
export interface StoreHealth {
  readonly isUp: boolean;
  /** When the store last responded. */
  readonly seenAt: number;
  /** Whether changes are announced immediately. Otherwise they are read every two seconds. */
  readonly isListening: boolean;
  /** Audit entries that wait on disk for the database. */
  readonly spooledEntries: number;
  /** Audit entries that were lost, because the disk was full too. */
  readonly lostEntries: number;
  /** Why the store cannot be used. */
  readonly problem?: string;
}
