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
    const entry = await entryOf(name);
    return (await entry.getPassword(AbortSignal.timeout(ANSWER_MS))) ?? undefined;
  },
  async write(name, text) {
    const entry = await entryOf(name);
    await entry.setPassword(text, AbortSignal.timeout(ANSWER_MS));
  },
};

async function entryOf(name: string) {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  return new AsyncEntry(SERVICE, name, { linux: { store: "secret-service" } });
}
