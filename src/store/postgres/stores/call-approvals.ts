import { randomUUID } from "node:crypto";
import type { CallApproval, CallApprovalStore } from "../../team-records.ts";
import type { Database } from "../database.ts";
import { isUuid, raise, type SealedColumns, type Sealer, storable, toTime } from "../rows.ts";

interface Row extends SealedColumns {
  readonly id: string;
  readonly person: string;
  readonly server: string;
  readonly tool: string;
  readonly request_hash: string;
  readonly state: CallApproval["state"];
  readonly decided_by: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const COLUMNS =
  "id, person, server, tool, request_hash, state, decided_by, created_at, expires_at, key_id, data_key, sealed";
const MOST_LISTED = 1_000;

export function createCallApprovals(
  { query, transaction }: Pick<Database, "query" | "transaction">,
  sealer: Sealer,
): CallApprovalStore {
  const contextOf = (person: string, id: string): readonly string[] => ["call_approvals", person, id];
  const toApproval = async (row: Row): Promise<CallApproval> => ({
    id: row.id,
    person: row.person,
    server: row.server,
    tool: row.tool,
    requestHash: row.request_hash,
    shown: await sealer.unseal(contextOf(row.person, row.id), row),
    state: row.state,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    ...(row.decided_by !== null && { decidedBy: row.decided_by }),
  });
  return {
    async ask({ person, server, tool, requestHash, shown, expiresAt }) {
      const id = randomUUID();
      const sealed = sealer.seal(contextOf(person, id), shown);
      const row = await transaction(async (query) => {
        await query(
          "DELETE FROM plugboard.call_approvals WHERE person = $1 AND request_hash = $2 AND expires_at <= now()",
          [person, requestHash],
        );
        for (;;) {
          const { count } = await query(
            `INSERT INTO plugboard.call_approvals
              (id, person, server, tool, request_hash, state, expires_at, key_id, data_key, sealed)
            VALUES ($1, $2, $3, $4, $5, 'waiting', $6, $7, $8, $9)
            ON CONFLICT (person, request_hash) WHERE state <> 'used' DO NOTHING`,
            [id, person, storable(server), storable(tool), requestHash, toTime(expiresAt), ...sealed],
          );
          if (count > 0) await raise(query, "call_approvals", person);
          const { rows } = await query<Row>(
            `SELECT ${COLUMNS} FROM plugboard.call_approvals WHERE person = $1 AND request_hash = $2 AND state <> 'used'`,
            [person, requestHash],
          );
          // Otherwise, the existing one has been used in the meantime.
          if (rows[0] !== undefined) return rows[0];
        }
      });
      return toApproval(row);
    },
    async get(id) {
      if (!isUuid(id)) return undefined;
      const { rows } = await query<Row>(
        `SELECT ${COLUMNS} FROM plugboard.call_approvals WHERE id = $1 AND expires_at > now()`,
        [id],
      );
      return rows[0] && toApproval(rows[0]);
    },
    async waiting(person) {
      const { rows } = await query<Row>(
        `SELECT ${COLUMNS} FROM plugboard.call_approvals
        WHERE state = 'waiting' AND expires_at > now() AND ($1::text IS NULL OR person = $1)
        ORDER BY created_at, id LIMIT ${MOST_LISTED}`,
        [person],
      );
      return Promise.all(rows.map(toApproval));
    },
    async decide(id, decision, by) {
      if (!isUuid(id)) return false;
      return transaction(async (query) => {
        const { rows } = await query<{ person: string }>(
          `UPDATE plugboard.call_approvals SET state = $2, decided_by = $3
          WHERE id = $1 AND state = 'waiting' AND expires_at > now() RETURNING person`,
          [id, decision, by],
        );
        if (rows[0] !== undefined) await raise(query, "call_approvals", rows[0].person);
        return rows[0] !== undefined;
      });
    },
    async use(id, requestHash) {
      if (!isUuid(id)) return false;
      const { count } = await query(
        `UPDATE plugboard.call_approvals SET state = 'used'
        WHERE id = $1 AND request_hash = $2 AND state = 'allowed' AND expires_at > now()`,
        [id, requestHash],
      );
      return count === 1;
    },
  };
}
