import { createRequire } from "node:module";
import type { Keychain } from "../index.ts";

const SERVICE = "plugboard";
/** A keychain may ask the user for a password, and would wait forever if the user cannot see the dialog. */
const ANSWER_MS = 20_000;

/**
 * The system's keychain. On Linux, only the Secret Service: the library's fallback, the kernel's keyring, accepts
 * secrets but does not keep them.
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

/**
 * The package is optional and contains native code, so it is loaded on first use. It is loaded with `require`, because
 * code from V8's compile cache cannot use `import`.
 */
const load = createRequire(import.meta.url);

function entryOf(name: string) {
  const { AsyncEntry } = load("@napi-rs/keyring") as typeof import("@napi-rs/keyring");
  return new AsyncEntry(SERVICE, name, { linux: { store: "secret-service" } });
}
