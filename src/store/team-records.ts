import type { JsonObject, JsonValue } from "../model/index.ts";

/** A person's role on the pages. `auditor` can read everything and change nothing. */
export type Role = "person" | "auditor" | "administrator";

/** A person that a gateway knows. */
export interface Person {
  /** A UUID, which is also the person's principal. Never given to another person. */
  readonly id: string;
  /** The issuer of the person's identity: the URL of an identity provider, or `local`. */
  readonly issuer: string;
  /** The identity provider's name for the person. */
  readonly subject: string;
  readonly name?: string;
  readonly email?: string;
  readonly groups: readonly string[];
  readonly role: Role;
  readonly createdAt: number;
  /** When the person last used a gateway, to the minute. */
  readonly seenAt?: number;
  /** Set if the person may not use the gateway. */
  readonly disabledAt?: number;
}

/** What an identity provider says about a person. */
export type PersonFacts = Pick<Person, "issuer" | "subject" | "name" | "email" | "groups">;

/** The people that gateways know. A change raises the revision `people` of the person's id. */
export interface PeopleStore {
  get(id: string): Promise<Person | undefined>;
  find(issuer: string, subject: string): Promise<Person | undefined>;
  /** Adds a person, or updates the name, email address and groups. A new person gets `role`, by default `person`. */
  save(facts: PersonFacts, role?: Role): Promise<Person>;
  /**
   * Returns people in the order of their names, at most 100 unless `limit` says otherwise. `search` matches a part of the name, email address
   * or subject. Exact matches come first.
   */
  list(page?: {
    readonly search?: string;
    readonly offset?: number;
    readonly limit?: number;
  }): Promise<readonly Person[]>;
  /** Returns `false` if the person does not exist. The last administrator keeps the role: then it rejects with `USAGE_INVALID`. */
  setRole(id: string, role: Role): Promise<boolean>;
  /** Returns `false` if the person does not exist. The last administrator cannot be disabled. */
  setDisabled(id: string, isDisabled: boolean): Promise<boolean>;
  /** Records that people used the gateway. */
  seen(ids: readonly string[]): Promise<void>;
  /**
   * Deletes a person with all tokens, sign-ins, secrets, approvals, pins, lists, sessions and tasks. Audit entries keep the id, which then
   * refers to no name. Returns `undefined` if the person does not exist.
   */
  remove(id: string): Promise<RemovedData | undefined>;
}

/** How many rows were deleted with a person, by table. */
export type RemovedData = Readonly<Record<string, number>>;

/** A static token. Only its hash is stored. */
export interface AccessToken {
  readonly id: string;
  /** The id of the person whose rights it has at most; "" for the user of a gateway without a team. */
  readonly person: string;
  readonly name: string;
  /** The token's limits. The store does not interpret them. */
  readonly scopes: JsonObject;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When it was last used, to the minute. */
  readonly usedAt?: number;
  readonly revokedAt?: number;
}

/** Static tokens. A change raises the revision `tokens` of the token's id. */
export interface TokenStore {
  /** Stores a token. `hash` is the SHA-256 of its text. */
  create(
    token: Pick<AccessToken, "person" | "name" | "scopes" | "expiresAt">,
    hash: Uint8Array,
  ): Promise<AccessToken>;
  /** Returns a token, even if it has expired or was revoked. */
  find(hash: Uint8Array): Promise<AccessToken | undefined>;
  /** Returns the tokens of one person, or all, newest first. */
  list(person?: string): Promise<readonly AccessToken[]>;
  /** Returns `false` if the token does not exist or was already revoked. */
  revoke(id: string): Promise<boolean>;
  /** Records that tokens were used. */
  used(ids: readonly string[]): Promise<void>;
}

/** One version of the policy document. Versions are never changed or removed. */
export interface PolicyVersion {
  readonly revision: number;
  readonly document: JsonObject;
  /** The id of the person who wrote it, or a name such as `gateway.jsonc`. */
  readonly author: string;
  readonly createdAt: number;
}

/** The policy document. A change raises the revision `policy` of the empty key. */
export interface PolicyStore {
  /** Returns the newest version, or `undefined` if there is none. */
  current(): Promise<PolicyVersion | undefined>;
  /**
   * Adds a version if the newest one still has `revision`, or if there is none for `undefined`. Otherwise, returns `undefined`.
   */
  add(document: JsonObject, author: string, revision: number | undefined): Promise<PolicyVersion | undefined>;
  /** Returns the newest versions first. */
  list(limit?: number): Promise<readonly PolicyVersion[]>;
}

/** A server that an administrator added at run time. Servers in config files are not stored. */
export interface ManagedServer {
  readonly name: string;
  /** The entry, with references instead of secrets. */
  readonly definition: JsonObject;
  readonly isEnabled: boolean;
  /** Increases with every change. */
  readonly revision: number;
  /** The hash of the launch that an administrator approved. */
  readonly approvedHash?: string;
  readonly approvedBy?: string;
}

/** Servers that administrators added. A change raises the revision `servers` of the server's name. */
export interface ManagedServerStore {
  list(): Promise<readonly ManagedServer[]>;
  /** Writes a server if it still has `revision`, or if it does not exist for `undefined`. Returns whether it was written. */
  set(server: Omit<ManagedServer, "revision">, revision: number | undefined): Promise<boolean>;
  /** Returns whether it existed. */
  remove(name: string): Promise<boolean>;
}

/** The purpose of a ticket: a session of the pages, a one-time link, or a sign-in in progress. */
export type TicketKind = "page_session" | "link" | "sign_in";

/** A short-lived secret that a browser or a person holds. Only its hash is stored, and its value is encrypted. */
export interface Ticket {
  readonly kind: TicketKind;
  /** The id of a person, or "" if it belongs to no person yet. */
  readonly person: string;
  readonly value: JsonValue;
  readonly expiresAt: number;
}

/** Short-lived secrets. Expired ones do not exist. */
export interface TicketStore {
  create(ticket: Ticket, hash: Uint8Array): Promise<void>;
  get(kind: TicketKind, hash: Uint8Array): Promise<Ticket | undefined>;
  /** Returns a ticket and removes it. Of several concurrent calls, one gets it. */
  take(kind: TicketKind, hash: Uint8Array): Promise<Ticket | undefined>;
  /** Removes all tickets of a kind that a person has. */
  removeAll(kind: TicketKind, person: string): Promise<void>;
}

/** A call that a rule of the policy lets a person decide about. */
export interface CallApproval {
  readonly id: string;
  readonly person: string;
  readonly server: string;
  readonly tool: string;
  /** The hash of the whole request, so that a decision covers nothing else. */
  readonly requestHash: string;
  /** The masked arguments, for the person who decides. Encrypted in the database. */
  readonly shown: JsonValue;
  readonly state: "waiting" | "allowed" | "denied" | "used";
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedBy?: string;
}

/** Calls that wait for a decision. A change raises the revision `call_approvals` of the person's id. */
export interface CallApprovalStore {
  /** Adds a call. Returns the existing one if the same request of the person already waits, or was decided and not used. */
  ask(
    call: Pick<CallApproval, "person" | "server" | "tool" | "requestHash" | "shown" | "expiresAt">,
  ): Promise<CallApproval>;
  get(id: string): Promise<CallApproval | undefined>;
  /** Returns the calls that wait, of one person or of all. */
  waiting(person?: string): Promise<readonly CallApproval[]>;
  /** Returns `false` unless the call waits. */
  decide(id: string, decision: "allowed" | "denied", by: string): Promise<boolean>;
  /** Uses up an approval. Returns `true` for one of several concurrent calls, and only if the call was allowed and has not expired. */
  use(id: string, requestHash: string): Promise<boolean>;
}
