import { randomUUID } from "node:crypto";
import { isHostError } from "../../../model/index.ts";
import { type Clock, delay, elapsed, type Log } from "../../../platform/index.ts";
import type { CredentialKey, CredentialStore } from "../../../state/index.ts";
import type { LeaseStore } from "../../cluster-records.ts";
import type { Database, Query } from "../database.ts";
import { digest, isUuid, type SealedColumns, type Sealer } from "../rows.ts";
import { createExclusiveSections } from "./exclusive-sections.ts";
import type { RecentReads } from "./recent-reads.ts";
import { type CredentialWrite, RecentWrites } from "./recent-writes.ts";

interface Row extends SealedColumns {
  readonly key: string;
  readonly generation: string;
}

/** How long a write waits for a database that cannot be reached. A renewed token cannot be requested again. */
const WRITE_WAIT_MS = 20_000;
const RETRY_MS = 500;

export interface CredentialsContext {
  readonly database: Pick<Database, "query">;
  readonly sealer: Sealer;
  readonly leases: LeaseStore;
  readonly reads: RecentReads;
  readonly clock: Clock;
  readonly log: Log;
}

/** A credential store that can repeat writes. */
export interface StoredCredentials extends CredentialStore {
  /** Repeats recent writes that the database does not have. `all` also those that it had confirmed, after a standby has taken over. */
  writeAgain(all: boolean): Promise<void>;
}

/** Sign-ins, encrypted. The context of the encryption includes the generation, so an old value cannot replace a newer one. */
export function createCredentials(context: CredentialsContext): StoredCredentials {
  const { database, sealer, leases, reads, clock, log } = context;
  const { query } = database;
  const exclusively = createExclusiveSections(leases, clock, log);
  const writes = new RecentWrites(clock);
  const contextOf = ({ principal, namespace, key }: CredentialKey, generation: string): readonly string[] => [
    "credentials",
    principal,
    namespace,
    key,
    generation,
  ];
  const idOf = ({ principal, namespace, key }: CredentialKey): Buffer => digest(principal, namespace, key);
  const listName = (principal: string, namespace: string): string =>
    `credentials ${JSON.stringify([principal, namespace])}`;
  const entryName = (key: CredentialKey): string => `${listName(key.principal, key.namespace)} ${key.key}`;

  const write = async (entry: CredentialWrite, replaced: readonly string[]): Promise<boolean> => {
    const isWritten = await writeRow(query, entry, replaced);
    writes.confirm(entry, isWritten);
    if (isWritten) reads.keep(entryName(entry), toRow(entry));
    return isWritten;
  };
  return {
    async get(key) {
      const row = await reads.read(entryName(key), async () => {
        const { rows } = await query<Row>(
          "SELECT key, generation, key_id, data_key, sealed FROM plugboard.credentials WHERE id = $1",
          [idOf(key)],
        );
        return rows[0];
      });
      if (row === undefined) return undefined;
      return { value: await sealer.unseal(contextOf(key, row.generation), row), generation: row.generation };
    },
    async set(key, value, previous) {
      if (previous !== undefined && !isUuid(previous)) return false;
      const generation = randomUUID();
      const [keyId, dataKey, sealed] = sealer.seal(contextOf(key, generation), value);
      const entry: CredentialWrite = { ...key, id: idOf(key), previous, generation, keyId, dataKey, sealed };
      writes.add(entry);
      reads.drop(listName(key.principal, key.namespace));
      return repeatUntilReachable(clock, () => write(entry, previous === undefined ? [] : [previous]));
    },
    async remove(key) {
      writes.drop(idOf(key));
      const { count } = await query("DELETE FROM plugboard.credentials WHERE id = $1", [idOf(key)]);
      reads.drop(listName(key.principal, key.namespace));
      return count === 1;
    },
    async list(principal, namespace) {
      const rows = await reads.read(listName(principal, namespace), async () => {
        const found = await query<Row>(
          `SELECT key, generation, key_id, data_key, sealed FROM plugboard.credentials
          WHERE person = $1 AND namespace = $2`,
          [principal, namespace],
        );
        return found.rows;
      });
      const entries: { key: string; value: Awaited<ReturnType<Sealer["unseal"]>>; generation: string }[] = [];
      for (const row of rows) {
        const { key, generation } = row;
        try {
          const value = await sealer.unseal(contextOf({ principal, namespace, key }, generation), row);
          entries.push({ key, value, generation });
        } catch (error) {
          if (!isHostError(error, "STATE_UNREADABLE")) throw error;
          log.log("warn", "store.entry.unreadable", { namespace, error: error.message });
        }
      }
      return entries.sort((left, right) => (left.key < right.key ? -1 : 1));
    },
    exclusively: (key, action) => exclusively(`credential ${idOf(key).toString("hex")}`, action),
    async writeAgain(all) {
      // A confirmed row that does not exist may have been removed since.
      for (const { entry, replaced, isConfirmed } of writes.list(all))
        if (!(isConfirmed && entry.previous === undefined) && (await write(entry, replaced)))
          log.log("info", "store.write.repeated", { namespace: entry.namespace });
    },
  };
}

/** Writes a row that has one of these generations, or a new row. Also returns `true` if it was written before. */
async function writeRow(query: Query, entry: CredentialWrite, replaced: readonly string[]): Promise<boolean> {
  const { id, principal, namespace, key, previous, generation, keyId, dataKey, sealed } = entry;
  const { count } =
    previous === undefined
      ? await query(
          `INSERT INTO plugboard.credentials AS known (id, person, namespace, key, generation, key_id, data_key, sealed)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
          ON CONFLICT (id) DO UPDATE SET generation = known.generation WHERE known.generation = excluded.generation`,
          [id, principal, namespace, key, generation, keyId, dataKey, sealed],
        )
      : await query(
          `UPDATE plugboard.credentials SET generation = $3, key_id = $4, data_key = $5, sealed = $6,
            written_at = clock_timestamp()
          WHERE id = $1 AND (generation = ANY($2) OR generation = $3)`,
          [id, replaced, generation, keyId, dataKey, sealed],
        );
  return count === 1;
}

function toRow({ key, generation, keyId, dataKey, sealed }: CredentialWrite): Row {
  return { key, generation, key_id: keyId, data_key: Buffer.from(dataKey), sealed: Buffer.from(sealed) };
}

/** The outcome of a write is unknown if the connection was lost. Repeating it is safe, because a row with its generation counts as written. */
async function repeatUntilReachable(clock: Clock, write: () => Promise<boolean>): Promise<boolean> {
  const began = elapsed(clock);
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isHostError(error, "STORE_UNAVAILABLE") || elapsed(clock) - began > WRITE_WAIT_MS) throw error;
      await delay(clock, RETRY_MS * (0.5 + Math.random() / 2));
    }
  }
}
