import type { SessionRow, SessionStore } from "../../cluster-records.ts";
import type { Database } from "../database.ts";
import { announce, isUuid, type SealedColumns, type Sealer, toTime } from "../rows.ts";

interface Row extends SealedColumns {
  readonly id: string;
  readonly person: string;
  readonly endpoint: string;
  readonly owner: string;
  readonly owner_epoch: string;
  readonly epoch: string;
  readonly created_at: Date;
  readonly seen_at: Date;
}

const COLUMNS =
  "id, person, endpoint, owner, owner_epoch, epoch, created_at, seen_at, key_id, data_key, sealed";
const REMOVED_AT_ONCE = 1_000;

export function createSessions(
  { query, transaction }: Pick<Database, "query" | "transaction">,
  sealer: Sealer,
): SessionStore {
  const contextOf = ({ id, person }: Pick<SessionRow, "id" | "person">): readonly string[] => [
    "sessions",
    person,
    id,
  ];
  const toSession = async (row: Row): Promise<SessionRow> => ({
    id: row.id,
    person: row.person,
    endpoint: row.endpoint,
    owner: row.owner,
    ownerEpoch: Number(row.owner_epoch),
    epoch: Number(row.epoch),
    state: await sealer.unseal(contextOf(row), row),
    createdAt: row.created_at.getTime(),
    seenAt: row.seen_at.getTime(),
  });
  return {
    async create({ id, person, endpoint, owner, ownerEpoch, state }) {
      await query(
        `INSERT INTO plugboard.sessions (id, person, endpoint, owner, owner_epoch, epoch, key_id, data_key, sealed)
        VALUES ($1, $2, $3, $4, $5, 1, $6, $7, $8)`,
        [id, person, endpoint, owner, ownerEpoch, ...sealer.seal(contextOf({ id, person }), state)],
      );
    },
    async get(id) {
      const { rows } = await query<Row>(`SELECT ${COLUMNS} FROM plugboard.sessions WHERE id = $1`, [id]);
      return rows[0] && toSession(rows[0]);
    },
    async update(id, epoch, state) {
      const { rows } = await query<{ person: string }>(
        "SELECT person FROM plugboard.sessions WHERE id = $1",
        [id],
      );
      if (rows[0] === undefined) return false;
      const { count } = await query(
        "UPDATE plugboard.sessions SET key_id = $3, data_key = $4, sealed = $5 WHERE id = $1 AND epoch = $2",
        [id, epoch, ...sealer.seal(contextOf({ id, person: rows[0].person }), state)],
      );
      return count === 1;
    },
    async seen(ids) {
      if (ids.length === 0) return;
      await query(
        `UPDATE plugboard.sessions SET seen_at = date_trunc('minute', now())
        WHERE id = ANY($1) AND seen_at < date_trunc('minute', now())`,
        [ids],
      );
    },
    async takeOver(id, epoch, owner) {
      if (!isUuid(owner.node)) return undefined;
      const row = await transaction(async (query) => {
        const { rows } = await query<Row>(
          `UPDATE plugboard.sessions SET owner = $3, owner_epoch = $4, epoch = epoch + 1 WHERE id = $1 AND epoch = $2
          RETURNING ${COLUMNS}`,
          [id, epoch, owner.node, owner.epoch],
        );
        if (rows[0] !== undefined) await announce(query, "session", id);
        return rows[0];
      });
      return row && toSession(row);
    },
    async remove(id) {
      return (await query("DELETE FROM plugboard.sessions WHERE id = $1", [id])).count > 0;
    },
    async removeUnused(before) {
      const { count } = await query(
        `DELETE FROM plugboard.sessions WHERE id IN
          (SELECT id FROM plugboard.sessions WHERE seen_at < $1 LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
        [toTime(before)],
      );
      return count;
    },
  };
}
