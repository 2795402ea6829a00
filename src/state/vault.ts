import { HostError, type JsonValue, type Problem } from "../model/index.ts";
import { type FileCredentials, isDamaged } from "./file-credentials.ts";
import { HOST_PRINCIPAL } from "./principal.ts";
import type { CredentialKey, CredentialStore, EntryLock, StoredCredential } from "./stores.ts";

/** An entry of the vault. */
export interface VaultEntry {
  readonly key: string;
  readonly value: JsonValue;
}

/** The stored credentials of one principal, by namespace and key. */
export interface Vault {
  /**
   * Returns an entry, or `undefined` if it does not exist. Throws if the entry is damaged, the vault's key is missing,
   * or other users can read the key. Creates nothing.
   */
  read(namespace: string, key: string): Promise<JsonValue | undefined>;
  /** Returns all readable entries of a namespace. `check` reports the others. */
  list(namespace: string): Promise<VaultEntry[]>;
  /**
   * Changes an entry. `update` gets the current value, or `undefined` if the entry does not exist or is damaged. If it returns
   * `undefined`, the entry is not changed. If the entry changed in the meantime, `update` is called again. Throws if another process has
   * taken over `lock`.
   */
  update(
    namespace: string,
    key: string,
    update: (current: JsonValue | undefined) => JsonValue | undefined,
    lock?: EntryLock,
  ): Promise<void>;
  /** Removes an entry. Returns whether it existed. Throws if another process has taken over `lock`. */
  remove(namespace: string, key: string, lock?: EntryLock): Promise<boolean>;
  /** Runs an action in one process at a time, for work on an entry that takes longer than a write. */
  withEntryLock<T>(namespace: string, key: string, action: (lock: EntryLock) => Promise<T>): Promise<T>;
  /** Reports damaged entries, a missing key, and files that others can read. */
  check(): Promise<Problem[]>;
}

/** Each failed attempt means that another writer succeeded, so only a broken store reaches this. */
const MAX_ATTEMPTS = 100;

/** Creates the vault of one principal. Without one, it is the vault of the host's own user. */
export function createVault(
  store: CredentialStore & Partial<Pick<FileCredentials, "check">>,
  principal: string = HOST_PRINCIPAL,
): Vault {
  const at = (namespace: string, key: string): CredentialKey => ({ principal, namespace, key });
  /** A damaged entry counts as absent, because the next write replaces it. */
  const readable = (key: CredentialKey): Promise<StoredCredential | undefined> =>
    store.get(key).catch((error: unknown) => {
      if (isDamaged(error)) return undefined;
      throw error;
    });
  return {
    read: async (namespace, key) => (await store.get(at(namespace, key)))?.value,
    list: async (namespace) =>
      (await store.list(principal, namespace)).map(({ key, value }) => ({ key, value })),
    async update(namespace, key, update, lock) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const current = await readable(at(namespace, key));
        const value = update(current?.value);
        if (value === undefined) return;
        await lock?.assertHeld();
        if (await store.set(at(namespace, key), value, current?.generation)) return;
      }
      throw new HostError(
        "STATE_UNREADABLE",
        "A stored sign-in or secret cannot be changed: the store refuses every write.",
      );
    },
    async remove(namespace, key, lock) {
      await lock?.assertHeld();
      return store.remove(at(namespace, key));
    },
    withEntryLock: (namespace, key, action) => store.exclusively(at(namespace, key), action),
    check: async () => (await store.check?.(principal)) ?? [],
  };
}
