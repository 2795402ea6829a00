import type { JsonObject, JsonValue } from "../model/index.ts";

/**
 * Where a host keeps what it remembers about people and servers. Every store is optional; the default keeps files in
 * Plugboard's own folders. In every method, `principal` is the person that the entry belongs to, or "" for the host's own user.
 * Entries of different principals must never be mixed up.
 */
export interface Stores {
  /** Sign-ins: tokens, accounts and registered OAuth clients. */
  readonly credentials?: CredentialStore;
  /** Approvals of a project's servers. */
  readonly approvals?: ApprovalStore;
  /** Reviewed tool definitions. */
  readonly pins?: PinStore;
  /** Cached lists of tools, resources and prompts. */
  readonly catalogs?: CatalogStore;
  /** Secrets that config files refer to as `keychain:<name>`. */
  readonly secrets?: SecretStore;
}

/** Identifies an entry of a `CredentialStore`. */
export interface CredentialKey {
  /** The person it belongs to, or "" for the host's own user. */
  readonly principal: string;
  /** The kind of entry. */
  readonly namespace: string;
  /** The name of the entry within its namespace, such as a URL. */
  readonly key: string;
}

/** An entry of a `CredentialStore`. */
export interface StoredCredential {
  /** A JSON value. It contains tokens and client secrets, so encrypt it if others can read the database. */
  readonly value: JsonValue;
  /** Identifies this version of the entry. Every write creates a new generation, even after a removal. */
  readonly generation: string;
}

/** Confirms that an exclusive section is still exclusive. */
export interface EntryLock {
  /** Rejects if the lock was lost, for example because the process was suspended for too long. */
  assertHeld(): Promise<void>;
}

/** Stores sign-ins. Test an implementation with `verifyCredentialStore` from `plugboard/testing`. */
export interface CredentialStore {
  /** Returns an entry, or `undefined` if it does not exist. */
  get(key: CredentialKey): Promise<StoredCredential | undefined>;
  /**
   * Writes an entry if it still has this generation or, for `undefined`, if it does not exist. Returns whether it was written.
   * The comparison and the write must be atomic.
   */
  set(key: CredentialKey, value: JsonValue, generation: string | undefined): Promise<boolean>;
  /** Removes an entry. Returns whether it existed. */
  remove(key: CredentialKey): Promise<boolean>;
  /** Returns all entries of a principal's namespace. */
  list(
    principal: string,
    namespace: string,
  ): Promise<readonly (StoredCredential & { readonly key: string })[]>;
  /**
   * Runs an action while no other process runs one for the same key. Other callers wait. Tokens are renewed here, so the action
   * takes as long as a request, and uses the other methods in the meantime.
   */
  exclusively<T>(key: CredentialKey, action: (lock: EntryLock) => Promise<T>): Promise<T>;
}

/** The approval of one exact launch of a server in a config file. */
export interface Approval {
  /** `1` if an older version of Plugboard recorded it. */
  readonly version?: 1;
  /** The config file that defines the server. */
  readonly file: string;
  /** The name of the server. */
  readonly server: string;
  /** The hash of the approved launch. */
  readonly hash: string;
  /** The approved fields, used to show the difference if they change. */
  readonly fields: JsonObject;
  /** The provider that read the entry. */
  readonly reader?: string;
  /** How placeholders in the entry were expanded. */
  readonly expansion?: JsonObject;
  /** Whether the entry's `envFile` existed, and the names of its variables. */
  readonly envFile?: { readonly found: boolean; readonly names: readonly string[] };
  /** When the launch was approved (ISO 8601). */
  readonly approvedAt: string;
  /** The sandbox that the user chose, as `sandbox` in an entry. */
  readonly sandbox?: JsonValue;
  /** The installed package: name, version and integrity. */
  readonly package?: string;
  /** The package that replaced it. The server requires approval again. */
  readonly packageNow?: string;
  /** Set if the user added the server with Plugboard, which also approved it. */
  readonly added?: true;
}

/** Stores approvals of launches. An approval is identified by its `file` and `server`. */
export interface ApprovalStore {
  /** Returns all approvals of a principal. */
  list(principal: string): Promise<readonly Approval[]>;
  /** Adds approvals, and replaces those with the same file and server. */
  add(principal: string, approvals: readonly Approval[]): Promise<void>;
  /** Removes the approvals with these files and servers. */
  remove(principal: string, approvals: readonly Pick<Approval, "file" | "server">[]): Promise<void>;
}

/** Identifies what is stored about one launch. */
export interface LaunchKey {
  /** The person it belongs to, or "" for the host's own user. */
  readonly principal: string;
  /** Changes if the launch may run another server: 64 hexadecimal digits, or these and `-` with 16 more. */
  readonly fingerprint: string;
}

/** Stores pins, one text per launch. Losing a pin means that changed tools count as reviewed, so it must not be a cache. */
export interface PinStore {
  /** Returns a text as it was stored, or `undefined` if there is none. */
  get(key: LaunchKey): Promise<string | Uint8Array | undefined>;
  /** Stores a text. `"first"` keeps an existing one. */
  set(key: LaunchKey, text: string, how: "first" | "replace"): Promise<void>;
}

/** Caches lists, one text of up to 8 MB per launch. Entries may be lost at any time; they are then read from the server. */
export interface CatalogStore {
  /** Returns a text as it was stored, or `undefined` if there is none. */
  get(key: LaunchKey): Promise<string | Uint8Array | undefined>;
  /** Stores a text. The last write wins. */
  set(key: LaunchKey, text: string): Promise<void>;
  /** Removes a text, if it exists. */
  remove(key: LaunchKey): Promise<void>;
}

/** Stores secrets by name. */
export interface SecretStore {
  /** Returns a secret, or `undefined` if there is none with this name. */
  get(principal: string, name: string): Promise<string | undefined>;
  /** Stores a secret and replaces an existing one. */
  set(principal: string, name: string, text: string): Promise<void>;
  /** Removes a secret. Returns whether it existed. */
  remove(principal: string, name: string): Promise<boolean>;
  /** Returns the names of a principal's secrets. */
  list(principal: string): Promise<readonly string[]>;
}
