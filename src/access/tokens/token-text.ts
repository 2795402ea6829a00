import { createHash, randomBytes } from "node:crypto";

const PREFIX = "pb_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_BYTES = 32;
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** Returns a new token: a prefix that scanners can find, 256 random bits, and a checksum. */
export function createTokenText(random: Uint8Array = randomBytes(RANDOM_BYTES)): string {
  const body = base62(random, RANDOM_LENGTH);
  return `${PREFIX}${body}${checksumOf(body)}`;
}

/** Returns whether a text looks like a token of this gateway, not like one of an identity provider. */
export function hasTokenShape(text: string): boolean {
  return SHAPE.test(text);
}

/** Returns whether a text can be a token. A mistyped token is refused without looking it up. */
export function isTokenText(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const body = text.slice(PREFIX.length, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksumOf(body);
}

/** Returns what is kept of a token. A random token needs no slow hash. */
export function tokenHash(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

function checksumOf(body: string): string {
  return base62(createHash("sha256").update(body).digest().subarray(0, 4), CHECKSUM_LENGTH);
}

function base62(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  for (let index = 0; index < length; index += 1) {
    text = DIGITS.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
}
