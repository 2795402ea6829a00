import type { GatewayNode, NodeStore } from "../../cluster-records.ts";
import type { Database } from "../database.ts";
import { isUuid } from "../rows.ts";

interface Row {
  readonly id: string;
  readonly epoch: string;
  readonly version: string;
  readonly address: string | null;
  readonly draining: boolean;
  readonly age_ms: number;
}

const COLUMNS =
  "id, epoch, version, address, draining, (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS age_ms";

const toNode = (row: Row): GatewayNode => ({
  id: row.id,
  epoch: Number(row.epoch),
  version: row.version,
  ...(row.address !== null && { address: row.address }),
  isDraining: row.draining,
  ageMs: Math.max(0, row.age_ms),
});

export function createNodes({ query }: Pick<Database, "query">): NodeStore {
  return {
    async join({ id, version, address }) {
      const { rows } = await query<Row>(
        `INSERT INTO plugboard.nodes AS known (id, epoch, version, address) VALUES ($1, 1, $2, $3)
        ON CONFLICT (id) DO UPDATE SET epoch = known.epoch + 1, version = excluded.version, address = excluded.address,
          draining = false, seen_at = clock_timestamp() RETURNING ${COLUMNS}`,
        [id, version, address ?? null],
      );
      return toNode(rows[0] as Row);
    },
    async heartbeat(id, epoch, isDraining = false) {
      const { count } = await query(
        "UPDATE plugboard.nodes SET seen_at = clock_timestamp(), draining = $3 WHERE id = $1 AND epoch = $2",
        [id, epoch, isDraining],
      );
      return count === 1;
    },
    async fence(id, epoch) {
      if (!isUuid(id)) return false;
      const { count } = await query(
        "UPDATE plugboard.nodes SET epoch = epoch + 1 WHERE id = $1 AND epoch = $2",
        [id, epoch],
      );
      return count === 1;
    },
    async list() {
      const { rows } = await query<Row>(`SELECT ${COLUMNS} FROM plugboard.nodes ORDER BY created_at, id`);
      return rows.map(toNode);
    },
    async leave(id) {
      if (isUuid(id)) await query("DELETE FROM plugboard.nodes WHERE id = $1", [id]);
    },
  };
}
