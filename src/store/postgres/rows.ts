import { createHash } from "node:crypto";
import { HostError, type JsonObject, type JsonValue } from "../../model/index.ts";
import type { Envelope, SealedValue } from "../encryption/envelope.ts";
import type { Query } from "./database.ts";

/** The columns of an encrypted value. */
export interface SealedColumns {
  readonly key_id: string;
  readonly data_key: Buffer;
  readonly sealed: Buffer;
}

/** Encrypts JSON values for tables. */
export interface Sealer {
  /** Returns `key_id`, `data_key` and `sealed`, in this order. */
  seal(context: readonly string[], value: JsonValue): readonly [string, Uint8Array, Uint8Array];
  unseal(context: readonly string[], columns: SealedColumns): Promise<JsonValue>;
}

/** `load` makes a key of the ring known that another process created. */
export function createSealer(envelope: Envelope, load: (keyId: string) => Promise<void>): Sealer {
  return {
    seal(context, value) {
      const { keyId, dataKey, sealed } = envelope.seal(context, Buffer.from(JSON.stringify(value)));
      return [keyId, dataKey, sealed];
    },
    async unseal(context, { key_id: keyId, data_key: dataKey, sealed }) {
      await load(keyId);
      const value: SealedValue = { keyId, dataKey, sealed };
      return JSON.parse(envelope.unseal(context, value).toString("utf8")) as JsonValue;
    },
  };
}

/** Returns an id for a row whose name consists of several texts. Names of any length and with any characters stay apart. */
export function digest(...parts: readonly string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}

/** Parses JSON that this program has written. */
export function fromJson(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns whether a text is a UUID. The database reports an error for any other text. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns a text as the database can store it. The driver would also replace lone surrogates, and the text would change. */
export function storable(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, "\ufffd");
}

/** Throws if a text that identifies something cannot be stored as it is. */
export function assertStorable(what: string, text: string, mostCharacters = 1_000): void {
  if (text.length > mostCharacters || /[\0\p{Cs}]/u.test(text))
    throw new HostError(
      "USAGE_INVALID",
      `${what} must have at most ${mostCharacters} characters, and no control characters.`,
    );
}

/** Returns a time as the database can store it. It refuses years that JavaScript accepts. */
export function toTime(ms: number): Date {
  return new Date(Math.min(Math.max(ms, 0), LATEST_TIME));
}

const LATEST_TIME = Date.UTC(9_999, 0);

/** The longest key that is announced as it is. */
const LONGEST_KEY = 120;
export const CHANNEL = "plugboard";

/** Announces a change that is not counted, when the transaction is committed. */
export async function announce(query: Query, kind: string, key: string): Promise<void> {
  await query("SELECT pg_notify($1, $2)", [CHANNEL, `${kind} 0 ${shortKey(key)}`]);
}

/** Raises a revision, and announces it when the transaction is committed. */
export async function raise(query: Query, kind: string, key: string): Promise<void> {
  await query(
    `WITH raised AS (
      INSERT INTO plugboard.revisions AS known VALUES ($1, $2, 1)
      ON CONFLICT (kind, key) DO UPDATE SET revision = known.revision + 1 RETURNING revision)
    SELECT pg_notify('${CHANNEL}', $1 || ' ' || revision || ' ' || $2) FROM raised`,
    [kind, shortKey(key)],
  );
}

function shortKey(key: string): string {
  return key.length > LONGEST_KEY ? createHash("sha256").update(key).digest("hex") : key;
}
