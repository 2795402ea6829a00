import { HOST_PRINCIPAL } from "./principal.ts";
import type { CredentialStore, SecretStore } from "./stores.ts";
import { createVault } from "./vault.ts";

const NAMESPACE = "secret";

/** Creates the secret store that keeps secrets next to the sign-ins. */
export function createVaultSecrets(credentials: CredentialStore): SecretStore {
  return {
    async get(principal, name) {
      const text = await createVault(credentials, principal).read(NAMESPACE, name);
      return typeof text === "string" ? text : undefined;
    },
    set: (principal, name, text) => createVault(credentials, principal).update(NAMESPACE, name, () => text),
    remove: (principal, name) => createVault(credentials, principal).remove(NAMESPACE, name),
    list: async (principal) => (await credentials.list(principal, NAMESPACE)).map(({ key }) => key),
  };
}

/** The secrets of one principal. */
export interface SecretRecords {
  list(): Promise<readonly string[]>;
  get(name: string): Promise<string | undefined>;
  set(name: string, text: string): Promise<void>;
  remove(name: string): Promise<boolean>;
}

/** Returns the secrets of one principal. Without one, those of the host's own user. */
export function secretsOf(store: SecretStore, principal: string = HOST_PRINCIPAL): SecretRecords {
  return {
    list: () => store.list(principal),
    get: (name) => store.get(principal, name),
    set: (name, text) => store.set(principal, name, text),
    remove: (name) => store.remove(principal, name),
  };
}
