import type { AuditFilter } from "../../../state/index.ts";
import type { StoredAuditEntry } from "../../audit-log.ts";
import type { Database } from "../database.ts";
import { fromJson, isUuid, storable, toTime } from "../rows.ts";

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly entry: string;
  readonly node: string;
}

const DEFAULT_LIMIT = 100;
const MOST_READ = 10_000;
const PAGE = 1_000;
const FROM = "FROM plugboard.audit AS entry JOIN plugboard.audit_chains AS chain USING (chain)";

/** Returns conditions and their values. */
function conditionsOf(filter: AuditFilter): { readonly sql: string; readonly values: readonly unknown[] } {
  const { since, until, kind, person, server, item, itemPart, outcome, method, session, after, before } =
    filter;
  const values: unknown[] = [];
  const conditions: string[] = ["true"];
  const add = (value: unknown, condition: (place: string) => string): void => {
    if (value === undefined) return;
    values.push(typeof value === "string" ? storable(value) : value);
    conditions.push(condition(`$${values.length}`));
  };
  add(since === undefined ? undefined : toTime(since), (place) => `at >= ${place}`);
  add(until === undefined ? undefined : toTime(until), (place) => `at <= ${place}`);
  add(kind, (place) => `kind = ${place}`);
  add(person, (place) => `person = ${place}`);
  add(server, (place) => `server = ${place}`);
  add(item, (place) => `item = ${place}`);
  add(itemPart?.toLowerCase(), (place) => `position(${place} IN lower(item)) > 0`);
  add(typeof outcome === "string" ? [outcome] : outcome, (place) => `outcome = ANY(${place}::text[])`);
  // Quotes inside of texts are escaped, so this is found as a member only.
  for (const [name, value] of Object.entries({ method, session }))
    add(value && `"${name}":${JSON.stringify(value)}`, (place) => `position(${place} IN entry.entry) > 0`);
  if (before !== undefined && isUuid(before)) add(before, (place) => `entry.id < ${place}`);
  if (after !== undefined && isUuid(after)) add(after, (place) => `entry.id > ${place}`);
  return { sql: conditions.join(" AND "), values };
}

const toEntry = ({ entry, node }: Row): StoredAuditEntry => ({
  ...(fromJson(entry) as unknown as StoredAuditEntry),
  node,
});

/** Returns the last matching entries, oldest first. */
export async function readAudit(
  { query }: Pick<Database, "query">,
  filter: AuditFilter = {},
): Promise<readonly StoredAuditEntry[]> {
  const { sql, values } = conditionsOf(filter);
  const limit = Math.min(filter.limit ?? DEFAULT_LIMIT, MOST_READ);
  const { rows } = await query<Row>(
    `SELECT entry.id, at, entry, node ${FROM} WHERE ${sql} ORDER BY at DESC, entry.id DESC LIMIT ${Math.trunc(limit)}`,
    values,
  );
  return rows.map(toEntry).reverse();
}

/** Returns all matching entries, oldest first. Reads them in pages, so that no transaction stays open. */
export async function* exportAudit(
  { query }: Pick<Database, "query">,
  filter: AuditFilter = {},
): AsyncGenerator<StoredAuditEntry> {
  const { sql, values } = conditionsOf(filter);
  let left = filter.limit ?? Number.POSITIVE_INFINITY;
  let last: Pick<Row, "at" | "id"> | undefined;
  while (left > 0) {
    const n = values.length;
    const next = last === undefined ? "" : `AND (at, entry.id) > ($${n + 1}, $${n + 2})`;
    const { rows } = await query<Row>(
      `SELECT entry.id, at, entry, node ${FROM} WHERE ${sql} ${next} ORDER BY at, entry.id LIMIT ${Math.min(PAGE, left)}`,
      last === undefined ? values : [...values, last.at, last.id],
    );
    for (const row of rows) yield toEntry(row);
    if (rows.length < PAGE) return;
    left -= rows.length;
    last = rows.at(-1);
  }
}
