import type { TaskRow, TaskStore } from "../../cluster-records.ts";
import type { Database } from "../database.ts";
import { type SealedColumns, type Sealer, storable, toTime } from "../rows.ts";

interface Row extends SealedColumns {
  readonly id: string;
  readonly person: string;
  readonly server: string;
  readonly status: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const COLUMNS = "id, person, server, status, created_at, expires_at, key_id, data_key, sealed";
const MOST_LISTED = 1_000;

export function createTasks({ query }: Pick<Database, "query">, sealer: Sealer): TaskStore {
  const contextOf = (person: string, id: string): readonly string[] => ["tasks", person, id];
  const toTask = async (row: Row): Promise<TaskRow> => ({
    id: row.id,
    person: row.person,
    server: row.server,
    status: row.status,
    state: await sealer.unseal(contextOf(row.person, row.id), row),
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  });
  return {
    async create({ id, person, server, status, state, expiresAt }) {
      await query(
        `INSERT INTO plugboard.tasks (id, person, server, status, expires_at, key_id, data_key, sealed)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          id,
          person,
          storable(server),
          storable(status),
          toTime(expiresAt),
          ...sealer.seal(contextOf(person, id), state),
        ],
      );
    },
    async get(person, id) {
      const { rows } = await query<Row>(
        `SELECT ${COLUMNS} FROM plugboard.tasks WHERE id = $1 AND person = $2 AND expires_at > now()`,
        [storable(id), person],
      );
      return rows[0] && toTask(rows[0]);
    },
    async list(person) {
      const { rows } = await query<Row>(
        `SELECT ${COLUMNS} FROM plugboard.tasks WHERE person = $1 AND expires_at > now()
        ORDER BY created_at, id LIMIT ${MOST_LISTED}`,
        [person],
      );
      return Promise.all(rows.map(toTask));
    },
    async update({ id, person, status, state, expiresAt }) {
      const { count } = await query(
        `UPDATE plugboard.tasks SET status = $3, expires_at = $4, key_id = $5, data_key = $6, sealed = $7
        WHERE id = $1 AND person = $2 AND expires_at > now()`,
        [id, person, storable(status), toTime(expiresAt), ...sealer.seal(contextOf(person, id), state)],
      );
      return count === 1;
    },
    async remove(person, id) {
      const { count } = await query("DELETE FROM plugboard.tasks WHERE id = $1 AND person = $2", [
        storable(id),
        person,
      ]);
      return count === 1;
    },
  };
}
