import { HostError } from "../../model/index.ts";
import type { Database } from "./database.ts";
import { SEALED_TABLES } from "./key-rotation.ts";
import { raise } from "./rows.ts";

const NODE_ALIVE_SECONDS = 15;

/** Deletes all values that a lost key protects, and the keys of the ring that it protects. Only counts them unless it is confirmed. */
export function forgetKey(
  { transaction }: Pick<Database, "transaction">,
  id: string,
  isConfirmed: boolean,
): Promise<Readonly<Record<string, number>>> {
  return transaction(
    async (query) => {
      const { rows } = await query<{ id: string }>(
        "SELECT id::text FROM plugboard.key_ring WHERE wrapped_by = $1 FOR UPDATE",
        [id],
      );
      if (rows.length === 0) throw new HostError("USAGE_INVALID", `The database uses no key "${id}".`);
      const running = await query(
        "SELECT 1 FROM plugboard.nodes WHERE seen_at > now() - make_interval(secs => $1)",
        [NODE_ALIVE_SECONDS],
      );
      if (isConfirmed && running.count > 0)
        throw new HostError("USAGE_INVALID", "A gateway is running, which still has the key.", {
          hint: "Save the key from its configuration, or stop all gateways first.",
        });
      const ids = rows.map((row) => row.id);
      const counts: Record<string, number> = {};
      for (const { name } of SEALED_TABLES) {
        const where = `FROM plugboard.${name} WHERE key_id = ANY($1::uuid[])`;
        counts[name] = isConfirmed
          ? (await query(`DELETE ${where}`, [ids])).count
          : ((await query<{ count: number }>(`SELECT count(*)::float8 AS count ${where}`, [ids])).rows[0]
              ?.count ?? 0);
      }
      if (isConfirmed) {
        await query("DELETE FROM plugboard.key_ring WHERE wrapped_by = $1", [id]);
        await raise(query, "keys", "");
      }
      return counts;
    },
    { statementMs: 300_000 },
  );
}
