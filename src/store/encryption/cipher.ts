import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OVERHEAD = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts with AES-256-GCM. The context is not encrypted, and decrypting requires the same one: the parts say what the value is and where it
 * is kept, so that two values cannot be exchanged.
 */
export function encrypt(key: Uint8Array, context: readonly string[], plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(contextBytes(context));
  const data = [cipher.update(plain), cipher.final()];
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ...data]);
}

/** Decrypts a value. Throws if a single bit of it, of the key or of the context differs. */
export function decrypt(key: Uint8Array, context: readonly string[], sealed: Uint8Array): Buffer {
  if (sealed.length < OVERHEAD || sealed[0] !== VERSION) throw new Error("it has an unknown format");
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(contextBytes(context))
    .setAuthTag(sealed.subarray(1 + NONCE_BYTES, OVERHEAD));
  return Buffer.concat([decipher.update(sealed.subarray(OVERHEAD)), decipher.final()]);
}

/** JSON keeps the parts apart, whatever characters they contain. */
function contextBytes(context: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(["plugboard", VERSION, ...context]));
}
