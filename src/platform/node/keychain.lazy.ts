import { createRequire } from "node:module";
import type { Keychain } from "../index.ts";

const SERVICE = "plugboard";
/** A keychain that asks its owner for a password may wait for ever where nobody sees the question. */
const ANSWER_MS = 20_000;

/**
 * The system's own keychain. On Linux the Secret Service and nothing else: the library's fallback, the kernel's keyring,
 * says yes and forgets.
 */
export const nodeKeychain: Keychain = {
  async read(name) {
    const entry = entryOf(name);
    return (await entry.getPassword(AbortSignal.timeout(ANSWER_MS))) ?? undefined;
  },
  async write(name, text) {
    const entry = entryOf(name);
    await entry.setPassword(text, AbortSignal.timeout(ANSWER_MS));
  },
  async remove(name) {
    await entryOf(name).deleteCredential(AbortSignal.timeout(ANSWER_MS));
  },
};

/** Optional, and native code: what is there is found when it is wanted. By `require`, since code that V8 kept compiled cannot import. */
const load = createRequire(import.meta.url);

function entryOf(name: string) {
  const { AsyncEntry } = load("@napi-rs/keyring") as typeof import("@napi-rs/keyring");
  return new AsyncEntry(SERVICE, name, { linux: { store: "secret-service" } });
}
