import type { Lease, LeaseStore } from "../../cluster-records.ts";
import type { Database } from "../database.ts";

interface LeaseRow {
  readonly holder: string;
  readonly fence: string;
}

const toLease = (key: string, { holder, fence }: LeaseRow): Lease => ({ key, holder, fence: Number(fence) });

/** Uses `clock_timestamp()`, because `now()` is the start of the transaction. */
export function createLeases({ query }: Pick<Database, "query">): LeaseStore {
  return {
    async acquire(key, holder, ms) {
      const { rows } = await query<LeaseRow>(
        `INSERT INTO plugboard.leases AS held (key, holder, fence, until)
        VALUES ($1, $2, nextval('plugboard.fences'), clock_timestamp() + make_interval(secs => $3))
        ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, fence = excluded.fence, until = excluded.until
        WHERE held.until <= clock_timestamp() RETURNING holder, fence`,
        [key, holder, ms / 1_000],
      );
      return rows[0] && toLease(key, rows[0]);
    },
    async renew({ key, fence }, ms) {
      const { count } = await query(
        `UPDATE plugboard.leases SET until = clock_timestamp() + make_interval(secs => $3)
        WHERE key = $1 AND fence = $2 AND until > clock_timestamp()`,
        [key, fence, ms / 1_000],
      );
      return count === 1;
    },
    async get(key) {
      const { rows } = await query<LeaseRow>(
        "SELECT holder, fence FROM plugboard.leases WHERE key = $1 AND until > clock_timestamp()",
        [key],
      );
      return rows[0] && toLease(key, rows[0]);
    },
    async release({ key, fence }) {
      await query("DELETE FROM plugboard.leases WHERE key = $1 AND fence = $2", [key, fence]);
    },
  };
}
