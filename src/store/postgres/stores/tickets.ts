import type { Ticket, TicketKind, TicketStore } from "../../team-records.ts";
import type { Database } from "../database.ts";
import { type SealedColumns, type Sealer, toTime } from "../rows.ts";

interface Row extends SealedColumns {
  readonly kind: TicketKind;
  readonly person: string;
  readonly expires_at: Date;
}

const COLUMNS = "kind, person, expires_at, key_id, data_key, sealed";

export function createTickets({ query }: Pick<Database, "query">, sealer: Sealer): TicketStore {
  const contextOf = (kind: TicketKind, person: string, hash: Uint8Array): readonly string[] => [
    "tickets",
    kind,
    person,
    Buffer.from(hash).toString("hex"),
  ];
  const toTicket = async (hash: Uint8Array, row: Row | undefined): Promise<Ticket | undefined> => {
    if (row === undefined) return undefined;
    const { kind, person, expires_at: expiresAt } = row;
    return {
      kind,
      person,
      value: await sealer.unseal(contextOf(kind, person, hash), row),
      expiresAt: expiresAt.getTime(),
    };
  };
  return {
    async create({ kind, person, value, expiresAt }, hash) {
      await query(
        `INSERT INTO plugboard.tickets (sha256, kind, person, expires_at, key_id, data_key, sealed)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [hash, kind, person, toTime(expiresAt), ...sealer.seal(contextOf(kind, person, hash), value)],
      );
    },
    async get(kind, hash) {
      const { rows } = await query<Row>(
        `SELECT ${COLUMNS} FROM plugboard.tickets WHERE sha256 = $1 AND kind = $2 AND expires_at > now()`,
        [hash, kind],
      );
      return toTicket(hash, rows[0]);
    },
    async take(kind, hash) {
      const { rows } = await query<Row>(
        `DELETE FROM plugboard.tickets WHERE sha256 = $1 AND kind = $2 AND expires_at > now() RETURNING ${COLUMNS}`,
        [hash, kind],
      );
      return toTicket(hash, rows[0]);
    },
    async removeAll(kind, person) {
      await query("DELETE FROM plugboard.tickets WHERE kind = $1 AND person = $2", [kind, person]);
    },
  };
}
