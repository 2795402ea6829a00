import { hkdfSync, randomBytes } from "node:crypto";
import { HostError } from "../../model/index.ts";
import { decrypt, encrypt } from "./cipher.ts";

/** A secret of the key ring. Each use derives its own keys from it. */
export interface RingKey {
  readonly id: string;
  readonly secret: Uint8Array;
}

/** The keys that this process knows. */
export interface Ring {
  /** The key for new values. */
  current(): RingKey;
  /** Returns a key, or `undefined` if it no longer exists. */
  find(id: string): RingKey | undefined;
}

/** An encrypted value, and the key that encrypts it alone, which is encrypted too. */
export interface SealedValue {
  /** The key of the ring that encrypts `dataKey`. */
  readonly keyId: string;
  readonly dataKey: Uint8Array;
  readonly sealed: Uint8Array;
}

/** Encrypts stored values. Every value has its own key, so changing the keys of the ring re-encrypts only keys. */
export interface Envelope {
  /** The context says what the value is: its table, person, namespace, key and generation. */
  seal(context: readonly string[], plain: Uint8Array): SealedValue;
  /** Throws if anything was changed. */
  unseal(context: readonly string[], value: SealedValue): Buffer;
  /** Encrypts the value's key with the current key of the ring. */
  rewrap(
    context: readonly string[],
    value: Pick<SealedValue, "keyId" | "dataKey">,
  ): Pick<SealedValue, "keyId" | "dataKey">;
}

const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Other processes' keys that are kept. Deriving one takes a few microseconds. */
const MOST_DERIVED = 256;

export function createEnvelope(ring: Ring): Envelope {
  // AES-GCM with random nonces is safe for 2^32 values per key, so each process derives its own keys.
  const salt = randomBytes(SALT_BYTES);
  const derived = new Map<string, Uint8Array>();
  const wrappingKey = (key: RingKey, salt: Uint8Array): Uint8Array => {
    const name = `${key.id} ${Buffer.from(salt).toString("base64")}`;
    const known = derived.get(name);
    if (known !== undefined) return known;
    if (derived.size >= MOST_DERIVED) derived.clear();
    const fresh = deriveKey(key, "data keys", salt);
    derived.set(name, fresh);
    return fresh;
  };
  const wrap = (context: readonly string[], dataKey: Uint8Array): Pick<SealedValue, "keyId" | "dataKey"> => {
    const key = ring.current();
    const wrapped = encrypt(wrappingKey(key, salt), ["data key", key.id, ...context], dataKey);
    return { keyId: key.id, dataKey: Buffer.concat([salt, wrapped]) };
  };
  const unwrap = (
    context: readonly string[],
    { keyId, dataKey }: Pick<SealedValue, "keyId" | "dataKey">,
  ): Buffer => {
    const key = ring.find(keyId);
    if (key === undefined) throw damaged(`Its key ${keyId} is not in the key ring.`);
    try {
      const wrapping = wrappingKey(key, dataKey.subarray(0, SALT_BYTES));
      return decrypt(wrapping, ["data key", keyId, ...context], dataKey.subarray(SALT_BYTES));
    } catch (cause) {
      throw damaged("It was changed outside of Plugboard.", cause);
    }
  };
  return {
    seal(context, plain) {
      const dataKey = randomBytes(KEY_BYTES);
      return { ...wrap(context, dataKey), sealed: encrypt(dataKey, ["value", ...context], plain) };
    },
    unseal(context, value) {
      const dataKey = unwrap(context, value);
      try {
        return decrypt(dataKey, ["value", ...context], value.sealed);
      } catch (cause) {
        throw damaged("It was changed outside of Plugboard.", cause);
      }
    },
    rewrap: (context, value) => wrap(context, unwrap(context, value)),
  };
}

/** Derives a key for one purpose. Keys for different purposes do not reveal each other. */
export function deriveKey(
  { secret }: RingKey,
  purpose: string,
  salt: Uint8Array = new Uint8Array(),
): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, salt, `plugboard ${purpose}`, KEY_BYTES));
}

function damaged(reason: string, cause?: unknown): HostError {
  return new HostError("STATE_UNREADABLE", `A stored value cannot be decrypted. ${reason}`, { cause });
}
