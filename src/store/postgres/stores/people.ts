import { randomUUID } from "node:crypto";
import { HostError } from "../../../model/index.ts";
import type { PeopleStore, Person, RemovedData, Role } from "../../team-records.ts";
import type { Database, Query } from "../database.ts";
import { assertStorable, isUuid, raise, storable } from "../rows.ts";

interface Row {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly groups: string;
  readonly role: Role;
  readonly created_at: Date;
  readonly seen_at: Date | null;
  readonly disabled_at: Date | null;
}

const COLUMNS = "id, issuer, subject, name, email, groups, role, created_at, seen_at, disabled_at";
const DEFAULT_LIMIT = 100;
const MOST_LISTED = 20_000;
const LAST_ADMINISTRATOR = "The last administrator cannot be disabled, deleted or given another role.";
/** Everything that belongs to a person, except the audit log. */
const TABLES_WITH_PERSON = [
  "tokens",
  "credentials",
  "approvals",
  "pins",
  "catalogs",
  "tickets",
  "call_approvals",
  "sessions",
  "tasks",
];

function toPerson(row: Row): Person {
  const { id, issuer, subject, name, email, groups, role } = row;
  return {
    id,
    issuer,
    subject,
    ...(name !== null && { name }),
    ...(email !== null && { email }),
    groups: JSON.parse(groups) as string[],
    role,
    createdAt: row.created_at.getTime(),
    ...(row.seen_at && { seenAt: row.seen_at.getTime() }),
    ...(row.disabled_at && { disabledAt: row.disabled_at.getTime() }),
  };
}

export function createPeople({ query, transaction }: Pick<Database, "query" | "transaction">): PeopleStore {
  /** Runs a change that must leave an enabled administrator, if there was one. */
  const change = <T>(id: string, run: (query: Query) => Promise<T>): Promise<T | undefined> => {
    if (!isUuid(id)) return Promise.resolve(undefined);
    return transaction(async (query) => {
      const count =
        "SELECT id FROM plugboard.people WHERE role = 'administrator' AND disabled_at IS NULL FOR UPDATE";
      const before = (await query(count)).count; // locks the rows, so that two cannot remove each other
      const result = await run(query);
      if (before > 0 && (await query(count)).count === 0)
        throw new HostError("USAGE_INVALID", LAST_ADMINISTRATOR);
      await raise(query, "people", id);
      return result;
    });
  };
  return {
    async get(id) {
      if (!isUuid(id)) return undefined;
      const { rows } = await query<Row>(`SELECT ${COLUMNS} FROM plugboard.people WHERE id = $1`, [id]);
      return rows[0] && toPerson(rows[0]);
    },
    async find(issuer, subject) {
      const { rows } = await query<Row>(
        `SELECT ${COLUMNS} FROM plugboard.people WHERE issuer = $1 AND subject = $2`,
        [storable(issuer), storable(subject)],
      );
      return rows[0] && toPerson(rows[0]);
    },
    async save({ issuer, subject, name, email, groups }, role = "person") {
      assertStorable("The issuer of a person", issuer);
      assertStorable("The subject of a person", subject);
      const facts = [
        name === undefined ? null : storable(name),
        email === undefined ? null : storable(email),
        JSON.stringify(groups),
      ];
      return transaction(async (query) => {
        const { rows } = await query<Row & { readonly changed: boolean }>(
          `INSERT INTO plugboard.people AS known (id, issuer, subject, name, email, groups, role)
          VALUES ($1, $2, $3, $4, $5, $6, $7)
          ON CONFLICT (issuer, subject) DO UPDATE SET name = excluded.name, email = excluded.email, groups = excluded.groups
          WHERE (known.name, known.email, known.groups) IS DISTINCT FROM (excluded.name, excluded.email, excluded.groups)
          RETURNING ${COLUMNS}`,
          [randomUUID(), issuer, subject, ...facts, role],
        );
        const [changed] = rows;
        if (changed !== undefined) {
          await raise(query, "people", changed.id);
          return toPerson(changed);
        }
        const same = await query<Row>(
          `SELECT ${COLUMNS} FROM plugboard.people WHERE issuer = $1 AND subject = $2`,
          [issuer, subject],
        );
        return toPerson(same.rows[0] as Row);
      });
    },
    async list({ search = "", offset = 0, limit = DEFAULT_LIMIT } = {}) {
      const { rows } = await query<Row>(
        `SELECT ${COLUMNS} FROM plugboard.people
        WHERE $1 = '' OR position(lower($1) IN lower(concat_ws(' ', name, email, subject))) > 0
        ORDER BY coalesce(lower($1) IN (lower(name), lower(email), lower(subject)), false) DESC,
          lower(coalesce(name, subject)), id OFFSET $2 LIMIT $3`,
        [storable(search), offset, Math.min(limit, MOST_LISTED)],
      );
      return rows.map(toPerson);
    },
    setRole: async (id, role) =>
      (await change(id, async (query) => {
        const { count } = await query("UPDATE plugboard.people SET role = $2 WHERE id = $1", [id, role]);
        return count === 1;
      })) ?? false,
    setDisabled: async (id, isDisabled) =>
      (await change(id, async (query) => {
        const { count } = await query(
          "UPDATE plugboard.people SET disabled_at = CASE WHEN $2 THEN coalesce(disabled_at, now()) END WHERE id = $1",
          [id, isDisabled],
        );
        return count === 1;
      })) ?? false,
    async seen(ids) {
      const known = ids.filter(isUuid);
      if (known.length === 0) return;
      await query(
        `UPDATE plugboard.people SET seen_at = date_trunc('minute', now())
        WHERE id = ANY($1) AND (seen_at IS NULL OR seen_at < date_trunc('minute', now()))`,
        [known],
      );
    },
    remove: (id) =>
      change(id, async (query) => {
        const { count } = await query("DELETE FROM plugboard.people WHERE id = $1", [id]);
        if (count === 0) return undefined;
        const removed: Record<string, number> = { people: 1 };
        for (const table of TABLES_WITH_PERSON)
          removed[table] = (await query(`DELETE FROM plugboard.${table} WHERE person = $1`, [id])).count;
        return removed satisfies RemovedData;
      }),
  };
}
