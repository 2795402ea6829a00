import { isHostError } from "../../../model/index.ts";
import { type Clock, elapsed } from "../../../platform/index.ts";

/** How long after it was read a value may be used while the database cannot be reached. */
export const KEPT_MS = 300_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** The size that is assumed for a value without one. */
const USUAL_BYTES = 1_024;

/** Values that were read a short time ago. They are used only while the database cannot be reached. */
export class RecentReads {
  readonly #clock: Clock;
  readonly #kept = new Map<
    string,
    { readonly value: unknown; readonly at: number; readonly bytes: number }
  >();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads a value. If the database cannot be reached, returns the one that was last read. */
  async read<T>(key: string, load: () => Promise<T>): Promise<T> {
    try {
      const value = await load();
      this.keep(key, value);
      return value;
    } catch (error) {
      const kept = this.#kept.get(key);
      const isUsable = kept !== undefined && elapsed(this.#clock) - kept.at <= KEPT_MS;
      if (!isHostError(error, "STORE_UNAVAILABLE") || !isUsable) throw error;
      return kept.value as T;
    }
  }

  /** Keeps a value that was written. */
  keep(key: string, value: unknown): void {
    this.#remove(key); // the map has the order of use
    const bytes = bytesOf(value);
    this.#kept.set(key, { value, at: elapsed(this.#clock), bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#remove(oldest);
    }
  }

  /** Drops the values whose keys start with a text. */
  drop(start: string): void {
    for (const key of this.#kept.keys()) if (key.startsWith(start)) this.#remove(key);
  }

  #remove(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

function bytesOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + bytesOf(each), USUAL_BYTES);
  return value instanceof Uint8Array ? value.length : USUAL_BYTES;
}
