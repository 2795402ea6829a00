import tables from "./0001-tables.sql?raw";

/** One change of the tables. Never edited after a release: a later migration changes what it did. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** The oldest version of Plugboard that works with the tables after this change. */
  readonly needs: string;
  readonly sql: string;
}

/**
 * All changes in the order of their numbers. First, a release adds what the next one needs ("expand"). Only a later release removes what
 * no running version uses any more ("contract"), and names the oldest version that works without it.
 */
export const MIGRATIONS: readonly Migration[] = [toMigration("0001-tables", tables)];

/** A migration starts with a comment: `-- needs 0.1.0`. */
export function toMigration(name: string, sql: string): Migration {
  const needs = /^-- needs (\d+\.\d+\.\d+)$/m.exec(sql)?.[1];
  if (needs === undefined) throw new TypeError(`${name} does not say which version it needs.`);
  return { number: Number(name.slice(0, 4)), name, needs, sql };
}
