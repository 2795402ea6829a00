import { type Clock, elapsed } from "../../../platform/index.ts";
import type { CredentialKey } from "../../../state/index.ts";

/** One write of a sign-in, already encrypted. */
export interface CredentialWrite extends CredentialKey {
  readonly id: Buffer;
  /** The generation that it replaces. */
  readonly previous: string | undefined;
  readonly generation: string;
  readonly keyId: string;
  readonly dataKey: Uint8Array;
  readonly sealed: Uint8Array;
}

const KEPT_MS = 600_000;
const MOST_KEPT = 1_000;
const MOST_REPLACED = 50;

export interface Kept {
  readonly entry: CredentialWrite;
  /** The generations that it and the writes before it replaced. */
  readonly replaced: readonly string[];
  readonly at: number;
  /** Whether the database has confirmed it. */
  isConfirmed: boolean;
}

/**
 * The newest writes of this process. A database may lose them: a write can fail while the database is unavailable, and a standby that
 * takes over may not have received the last ones. Without them, a renewed refresh token would be lost, and the person would have to sign
 * in again.
 */
export class RecentWrites {
  readonly #clock: Clock;
  /** The newest write of each row, in the order of time. */
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(entry: CredentialWrite): void {
    const name = entry.id.toString("hex");
    const before = this.#kept.get(name);
    const earlier = before?.entry.generation === entry.previous ? (before?.replaced ?? []) : [];
    const replaced = entry.previous === undefined ? [] : [...earlier.slice(-MOST_REPLACED), entry.previous];
    this.#kept.delete(name);
    this.#kept.set(name, { entry, replaced, at: elapsed(this.#clock), isConfirmed: false });
    for (const [oldest, { at }] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT && elapsed(this.#clock) - at < KEPT_MS) break;
      this.#kept.delete(oldest);
    }
  }

  /** Records the outcome. A write that was refused is not repeated. */
  confirm({ id, generation }: CredentialWrite, isWritten: boolean): void {
    const name = id.toString("hex");
    const kept = this.#kept.get(name);
    if (kept?.entry.generation !== generation) return;
    if (isWritten) kept.isConfirmed = true;
    else this.#kept.delete(name);
  }

  drop(id: Buffer): void {
    this.#kept.delete(id.toString("hex"));
  }

  /** Returns the writes without a known outcome, or all. */
  list(all: boolean): readonly Kept[] {
    return [...this.#kept.values()].filter(
      ({ at, isConfirmed }) => (all || !isConfirmed) && elapsed(this.#clock) - at < KEPT_MS,
    );
  }
}
