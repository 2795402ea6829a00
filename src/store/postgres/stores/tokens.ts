import { randomUUID } from "node:crypto";
import type { AccessToken, TokenStore } from "../../team-records.ts";
import type { Database } from "../database.ts";
import { assertStorable, fromJson, isUuid, raise, toTime } from "../rows.ts";

interface Row {
  readonly id: string;
  readonly person: string;
  readonly name: string;
  readonly scopes: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly revoked_at: Date | null;
}

const COLUMNS = "id, person, name, scopes, created_at, expires_at, used_at, revoked_at";

const toToken = ({ id, person, name, scopes, ...row }: Row): AccessToken => ({
  id,
  person,
  name,
  scopes: fromJson(scopes),
  createdAt: row.created_at.getTime(),
  expiresAt: row.expires_at.getTime(),
  ...(row.used_at && { usedAt: row.used_at.getTime() }),
  ...(row.revoked_at && { revokedAt: row.revoked_at.getTime() }),
});

export function createTokens({ query, transaction }: Pick<Database, "query" | "transaction">): TokenStore {
  return {
    async create({ person, name, scopes, expiresAt }, hash) {
      assertStorable("The name of a token", name);
      return transaction(async (query) => {
        const { rows } = await query<Row>(
          `INSERT INTO plugboard.tokens (id, person, name, scopes, expires_at, sha256) VALUES ($1, $2, $3, $4, $5, $6)
          RETURNING ${COLUMNS}`,
          [randomUUID(), person, name, JSON.stringify(scopes), toTime(expiresAt), hash],
        );
        const token = toToken(rows[0] as Row);
        await raise(query, "tokens", token.id);
        return token;
      });
    },
    async find(hash) {
      const { rows } = await query<Row>(`SELECT ${COLUMNS} FROM plugboard.tokens WHERE sha256 = $1`, [hash]);
      return rows[0] && toToken(rows[0]);
    },
    async list(person) {
      const { rows } = await query<Row>(
        `SELECT ${COLUMNS} FROM plugboard.tokens WHERE $1::text IS NULL OR person = $1 ORDER BY created_at DESC, id`,
        [person],
      );
      return rows.map(toToken);
    },
    async revoke(id) {
      if (!isUuid(id)) return false;
      return transaction(async (query) => {
        const { count } = await query(
          "UPDATE plugboard.tokens SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL",
          [id],
        );
        if (count > 0) await raise(query, "tokens", id);
        return count > 0;
      });
    },
    async used(ids) {
      const known = ids.filter(isUuid);
      if (known.length === 0) return;
      await query(
        `UPDATE plugboard.tokens SET used_at = date_trunc('minute', now())
        WHERE id = ANY($1) AND (used_at IS NULL OR used_at < date_trunc('minute', now()))`,
        [known],
      );
    },
  };
}
