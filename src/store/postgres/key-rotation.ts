import { type Clock, delay, elapsed, type Log } from "../../platform/index.ts";
import type { Envelope } from "../encryption/envelope.ts";
import type { Database } from "./database.ts";
import type { StoredRing } from "./key-ring.ts";

/** A table with encrypted values. `context` returns what its values are bound to, from the columns of a row. */
interface SealedTable {
  readonly name: string;
  readonly id: string;
  readonly columns: readonly string[];
  context(row: Readonly<Record<string, unknown>>): readonly string[];
}

const text = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString("hex") : String(value));

function tableOf(
  name: string,
  id: string,
  idType: string,
  columns: readonly string[],
): SealedTable & { idType: string } {
  return {
    name,
    id,
    idType,
    columns,
    context: (row) => [name, ...columns.map((column) => text(row[column]))],
  };
}

/** Every table with encrypted values. The columns are those of the contexts in `stores/`, in the same order. */
export const SEALED_TABLES: readonly (SealedTable & { readonly idType: string })[] = [
  tableOf("credentials", "id", "bytea", ["person", "namespace", "key", "generation"]),
  tableOf("tickets", "sha256", "bytea", ["kind", "person", "sha256"]),
  tableOf("call_approvals", "id", "uuid", ["person", "id"]),
  tableOf("sessions", "id", "text", ["person", "id"]),
  tableOf("tasks", "id", "text", ["person", "id"]),
];

const ROWS_AT_ONCE = 500;
/** Each batch takes at least this long, so that calls do not wait for the rotation. */
const BATCH_MS = 1_000;

export interface RotationContext {
  readonly database: Pick<Database, "query">;
  readonly ring: StoredRing;
  readonly envelope: Envelope;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after each batch. */
  readonly onProgress?: (count: number) => void;
  readonly batchMs?: number;
}

/**
 * Adds a key to the ring and encrypts the data keys of all rows with it, then the ring itself with the newest key of the configuration.
 * Values stay as they are. Gateways can read and write in the meantime. Returns how many rows were changed.
 */
export async function rotateKeys(context: RotationContext): Promise<number> {
  const { ring, log } = context;
  await ring.add();
  let total = 0;
  // Other gateways use the earlier key until they have read the ring, so a second pass finds what they wrote during the first.
  for (let pass = 0; pass < 2; pass += 1)
    for (const table of SEALED_TABLES) total += await rewrapTable(context, table);
  await ring.wrapAgain();
  log.log("info", "store.keys.rotated", { rows: total });
  return total;
}

async function rewrapTable(
  { database, ring, envelope, clock, log, onProgress, batchMs = BATCH_MS }: RotationContext,
  table: SealedTable & { readonly idType: string },
): Promise<number> {
  const { name, id, idType, columns } = table;
  const current = ring.current().id;
  let after: unknown;
  let total = 0;
  for (;;) {
    const began = elapsed(clock);
    const { rows } = await database.query<{ key_id: string; data_key: Buffer }>(
      `SELECT ${[...new Set([id, ...columns])].join(", ")}, key_id, data_key FROM plugboard.${name}
      WHERE key_id <> $1 AND ($2::${idType} IS NULL OR ${id} > $2) ORDER BY ${id} LIMIT ${ROWS_AT_ONCE}`,
      [current, after ?? null],
    );
    if (rows.length === 0) return total;
    const changed: { id: unknown; before: Buffer; keyId: string; dataKey: Uint8Array }[] = [];
    for (const row of rows as readonly (Record<string, unknown> & { key_id: string; data_key: Buffer })[]) {
      after = row[id];
      try {
        await ring.load(row.key_id);
        const next = envelope.rewrap(table.context(row), { keyId: row.key_id, dataKey: row.data_key });
        changed.push({ id: row[id], before: row.data_key, ...next });
      } catch (error) {
        log.log("warn", "store.entry.unreadable", { table: name, error: String(error) }); // it stays as it is
      }
    }
    // A row that was written in the meantime has another data key, and stays as it is.
    const { count } = await database.query(
      `UPDATE plugboard.${name} AS stored SET key_id = next.key_id, data_key = next.data_key
      FROM unnest($1::${idType}[], $2::bytea[], $3::uuid[], $4::bytea[]) AS next (id, before, key_id, data_key)
      WHERE stored.${id} = next.id AND stored.data_key = next.before`,
      [
        changed.map((each) => each.id),
        changed.map(({ before }) => before),
        changed.map(({ keyId }) => keyId),
        changed.map(({ dataKey }) => Buffer.from(dataKey)),
      ],
    );
    total += count;
    onProgress?.(total);
    await delay(clock, Math.max(0, batchMs - (elapsed(clock) - began)));
  }
}
