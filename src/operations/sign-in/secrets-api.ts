/** Secrets in the vault. A config file refers to one as `keychain:<name>`. */
export interface HostSecrets {
  /** Returns the names of all secrets. */
  list(): Promise<string[]>;
  /** Returns a secret, or `undefined` if there is none with this name. */
  read(name: string): Promise<string | undefined>;
  /** Stores a secret. Servers receive it at their next start. */
  store(name: string, text: string): Promise<void>;
  /** Deletes a secret. Returns whether it existed. */
  remove(name: string): Promise<boolean>;
}
