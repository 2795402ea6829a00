import type { ManagedServer, ManagedServerStore } from "../../team-records.ts";
import type { Database } from "../database.ts";
import { assertStorable, fromJson, raise } from "../rows.ts";

interface Row {
  readonly name: string;
  readonly definition: string;
  readonly enabled: boolean;
  readonly revision: string;
  readonly approved_hash: string | null;
  readonly approved_by: string | null;
}

const toServer = (row: Row): ManagedServer => ({
  name: row.name,
  definition: fromJson(row.definition),
  isEnabled: row.enabled,
  revision: Number(row.revision),
  ...(row.approved_hash !== null && { approvedHash: row.approved_hash }),
  ...(row.approved_by !== null && { approvedBy: row.approved_by }),
});

export function createManagedServers({
  query,
  transaction,
}: Pick<Database, "query" | "transaction">): ManagedServerStore {
  return {
    async list() {
      const { rows } = await query<Row>(
        "SELECT name, definition, enabled, revision, approved_hash, approved_by FROM plugboard.servers ORDER BY name",
      );
      return rows.map(toServer);
    },
    async set({ name, definition, isEnabled, approvedHash, approvedBy }, revision) {
      assertStorable("The name of a server", name);
      const values = [name, JSON.stringify(definition), isEnabled, approvedHash ?? null, approvedBy ?? null];
      return transaction(async (query) => {
        const { count } =
          revision === undefined
            ? await query(
                `INSERT INTO plugboard.servers (name, definition, enabled, approved_hash, approved_by, revision)
                VALUES ($1, $2, $3, $4, $5, 1) ON CONFLICT (name) DO NOTHING`,
                values,
              )
            : await query(
                `UPDATE plugboard.servers SET definition = $2, enabled = $3, approved_hash = $4, approved_by = $5,
                  revision = revision + 1 WHERE name = $1 AND revision = $6`,
                [...values, revision],
              );
        if (count > 0) await raise(query, "servers", name);
        return count > 0;
      });
    },
    remove: (name) =>
      transaction(async (query) => {
        const { count } = await query("DELETE FROM plugboard.servers WHERE name = $1", [name]);
        if (count > 0) await raise(query, "servers", name);
        return count > 0;
      }),
  };
}
