import { createHmac, randomBytes } from "node:crypto";
import { type Clock, elapsed } from "../../platform/index.ts";
import { isSameText } from "./local-access.ts";

/** How far the clocks of two processes may be apart, and how long a proof can be used. */
const VALID_MS = 30_000;
const PROOF = /^Proof (\d{13})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * Proves that a program can read a key, without sending the key: another user's program may be listening at the address. A proof is for
 * one host and port, and for one use.
 */
export function createProof(key: string, host: string, now: number): string {
  const nonce = randomBytes(16).toString("base64url");
  return `Proof ${now}.${nonce}.${proofOf(key, [host, String(now), nonce])}`;
}

function proofOf(key: string, parts: readonly string[]): string {
  return createHmac("sha256", key).update(parts.join("\0")).digest("base64url");
}

/** Checks proofs. Accepts each one once. */
export class ProofCheck {
  readonly #clock: Clock;
  readonly #used = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  accepts(given: string | undefined, key: string, host: string): boolean {
    const [, time = "", nonce = "", proof = ""] = PROOF.exec(given ?? "") ?? [];
    if (!isSameText(proof, proofOf(key, [host, time, nonce]))) return false;
    const isCurrent = Math.abs(this.#clock.now() - Number(time)) <= VALID_MS;
    if (!isCurrent || this.#used.has(nonce)) return false;
    const now = elapsed(this.#clock);
    for (const [other, usedAt] of this.#used) if (now - usedAt > 4 * VALID_MS) this.#used.delete(other);
    this.#used.set(nonce, now);
    return true;
  }
}
