import type { WaitOptions } from "../../model/index.ts";

/** Secrets in the vault. A config file refers to one as `keychain:<name>`. */
export interface HostSecrets {
  /** Returns the names of all secrets. */
  list(options?: WaitOptions): Promise<string[]>;
  /** Returns a secret, or `undefined` if there is none with this name. */
  read(name: string, options?: WaitOptions): Promise<string | undefined>;
  /** Stores a secret. Servers receive it at their next start. */
  store(name: string, text: string, options?: WaitOptions): Promise<void>;
  /** Deletes a secret. Returns whether it existed. */
  remove(name: string, options?: WaitOptions): Promise<boolean>;
}
