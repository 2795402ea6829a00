import { randomBytes, randomUUID } from "node:crypto";
import { createSerialQueue, HostError, messageOf } from "../../model/index.ts";
import type { Log } from "../../platform/index.ts";
import { deriveKey, type Ring, type RingKey } from "../encryption/envelope.ts";
import type { KeyWrap } from "../encryption/key-wrap.ts";
import type { Database } from "./database.ts";
import { raise } from "./rows.ts";
import { unusable } from "./store-error.ts";

const SECRET_BYTES = 32;
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('plugboard.key_ring', 0))";

interface RingRow {
  readonly id: string;
  readonly wrapped_by: string;
  readonly wrapped: Buffer;
}

/** The secrets that protect stored values. They are stored encrypted with the keys of the configuration. New secrets use the first key. */
export class StoredRing implements Ring {
  readonly #database: Database;
  readonly #wraps: readonly KeyWrap[];
  readonly #log: Log;
  readonly #enqueue = createSerialQueue();
  /** Newest first. */
  #keys: readonly RingKey[] = [];

  constructor(database: Database, wraps: readonly KeyWrap[], log: Log) {
    this.#database = database;
    this.#wraps = wraps;
    this.#log = log;
  }

  /** Reads the ring, and creates it for a new database. Throws if a key of the configuration is missing or wrong. */
  async open(): Promise<void> {
    await this.#reload();
    if (this.#keys.length > 0) return;
    await this.add(true);
  }

  current(): RingKey {
    const [key] = this.#keys;
    if (key === undefined) throw new HostError("INTERNAL_BUG", "The key ring was used before it was read.");
    return key;
  }

  find(id: string): RingKey | undefined {
    return this.#keys.find((key) => key.id === id);
  }

  /** Reads the ring again if it does not contain a key, because another process has added it. */
  async load(id: string): Promise<void> {
    if (this.find(id) === undefined) await this.#enqueue(async () => this.find(id) ?? (await this.#reload()));
  }

  /** Reads the ring again. Keeps the known keys if the database cannot be reached. */
  refresh(): void {
    this.#enqueue(() => this.#reload()).catch((error: unknown) =>
      this.#log.log("warn", "store.keys.unreadable", { error: messageOf(error) }),
    );
  }

  keysFor(purpose: string): readonly Uint8Array[] {
    return this.#keys.map((key) => deriveKey(key, purpose));
  }

  /** Adds a key for new values. `isFirst` adds none if another process did at the same time. */
  async add(isFirst = false): Promise<void> {
    const wrap = this.#newest();
    const id = randomUUID();
    const wrapped = await wrap.wrap(randomBytes(SECRET_BYTES), id);
    await this.#database.transaction(async (query) => {
      await query(LOCK);
      if (isFirst && (await query("SELECT 1 FROM plugboard.key_ring LIMIT 1")).count > 0) return;
      await query("INSERT INTO plugboard.key_ring (id, wrapped_by, wrapped) VALUES ($1, $2, $3)", [
        id,
        wrap.id,
        wrapped,
      ]);
      await raise(query, "keys", "");
    });
    await this.#enqueue(() => this.#reload());
  }

  /** Encrypts the secrets of the ring with the newest key of the configuration. */
  async wrapAgain(): Promise<void> {
    const wrap = this.#newest();
    const { rows } = await this.#database.query<RingRow>(
      "SELECT id, wrapped_by, wrapped FROM plugboard.key_ring",
    );
    for (const row of rows.filter(({ wrapped_by: by }) => by !== wrap.id)) {
      const wrapped = await wrap.wrap((await this.#unwrap(row)).secret, row.id);
      await this.#database.query(
        "UPDATE plugboard.key_ring SET wrapped_by = $2, wrapped = $3 WHERE id = $1",
        [row.id, wrap.id, wrapped],
      );
    }
  }

  async #reload(): Promise<void> {
    const { rows } = await this.#database.query<RingRow>(
      "SELECT id, wrapped_by, wrapped FROM plugboard.key_ring ORDER BY created_at DESC, id",
    );
    this.#assertComplete(rows);
    const keys: RingKey[] = [];
    for (const row of rows) keys.push(this.find(row.id) ?? (await this.#unwrap(row)));
    this.#keys = keys;
  }

  async #unwrap({ id, wrapped_by: by, wrapped }: RingRow): Promise<RingKey> {
    const wrap = this.#wraps.find((each) => each.id === by);
    if (wrap === undefined) throw missingKeys([by]);
    try {
      return { id, secret: await wrap.unwrap(wrapped, id) };
    } catch (cause) {
      if (cause instanceof HostError) throw cause;
      throw unusable(
        `The key "${by}" is not the one that encrypted this database's keys.`,
        `Configure the right key with the id "${by}". A new key needs a new id.`,
        cause,
      );
    }
  }

  #newest(): KeyWrap {
    const [wrap] = this.#wraps;
    if (wrap === undefined)
      throw new HostError("USAGE_INVALID", "A team gateway needs a key that encrypts what it stores.", {
        hint: "Create one with: openssl rand -base64 32",
      });
    return wrap;
  }

  /** Names all missing keys at once. */
  #assertComplete(rows: readonly RingRow[]): void {
    const known = new Set(this.#wraps.map(({ id }) => id));
    const missing = new Set(rows.map(({ wrapped_by: by }) => by).filter((by) => !known.has(by)));
    if (missing.size > 0) throw missingKeys([...missing]);
  }
}

function missingKeys(ids: readonly string[]): HostError {
  const names = ids.map((id) => `"${id}"`).join(", ");
  return unusable(
    `The configuration does not contain the key ${names}, which encrypts sign-ins and secrets in this database.`,
    "Restore the key from a backup. If it is lost, run plugboard database forget-key <id>; people then sign in again.",
  );
}
