import { messageOf } from "../../model/index.ts";
import type { Log } from "../../platform/index.ts";
import { deriveKey, type Ring } from "../encryption/envelope.ts";
import { removalMac } from "./audit/audit-chain.ts";
import type { Database } from "./database.ts";

/** Deletes rows that nothing refers to. Each statement is its own transaction. */
const CLEANUPS: Readonly<Record<string, string>> = {
  tickets: "DELETE FROM plugboard.tickets WHERE expires_at < now()",
  call_approvals: "DELETE FROM plugboard.call_approvals WHERE expires_at < now()",
  tasks: "DELETE FROM plugboard.tasks WHERE expires_at < now()",
  // Gateways end their sessions after a day without use. These are the sessions of gateways that were killed.
  sessions: "DELETE FROM plugboard.sessions WHERE seen_at < now() - interval '26 hours'",
  leases: "DELETE FROM plugboard.leases WHERE until < clock_timestamp() - interval '1 day'",
  nodes: "DELETE FROM plugboard.nodes WHERE seen_at < clock_timestamp() - interval '1 day'",
  catalog_bodies: `DELETE FROM plugboard.catalog_bodies AS body WHERE created_at < now() - interval '1 hour'
    AND NOT EXISTS (SELECT 1 FROM plugboard.catalogs WHERE hash = body.hash)`,
};

export interface MaintenanceContext {
  readonly database: Pick<Database, "query" | "transaction">;
  readonly ring: Ring;
  readonly log: Log;
  /** How many days audit entries are kept. */
  readonly auditDays: number;
}

/** Removes what has expired. Safe to run in several processes at once. A failure does not affect the other parts. */
export async function runMaintenance(context: MaintenanceContext): Promise<void> {
  const { database, log } = context;
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) =>
      log.log("warn", "store.maintenance.failed", { what, error: messageOf(error) }),
    );
  };
  for (const [table, sql] of Object.entries(CLEANUPS)) await attempt(table, () => database.query(sql));
  await attempt("audit", () => removeOldAudit(context));
}

/** Drops the tables of days that are too old by the database's clock, and confirms it in their chains. Returns the days. */
export async function removeOldAudit({
  database,
  ring,
  auditDays,
}: Omit<MaintenanceContext, "log">): Promise<readonly string[]> {
  const { rows } = await database.query<{ day: string }>(
    `SELECT DISTINCT to_char(day, 'YYYY-MM-DD') AS day FROM plugboard.audit_chains
    WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::int AND removed_mac IS NULL ORDER BY 1`,
    [Math.ceil(auditDays)],
  );
  for (const { day } of rows)
    await database.transaction(async (query) => {
      const chains = await query<{ chain: string; key_id: string; last_position: number }>(
        `SELECT chain::text, key_id::text, last_position::float8 FROM plugboard.audit_chains
        WHERE day = $1 AND removed_mac IS NULL FOR UPDATE`,
        [day],
      );
      for (const { chain, key_id: keyId, last_position: position } of chains.rows) {
        const key = ring.find(keyId);
        const mac = key === undefined ? "00" : removalMac(deriveKey(key, "audit"), chain, position);
        await query("UPDATE plugboard.audit_chains SET removed_mac = decode($2, 'hex') WHERE chain = $1", [
          chain,
          mac,
        ]);
      }
      await query("SELECT plugboard.remove_audit_day($1)", [day]);
    });
  return rows.map(({ day }) => day);
}
