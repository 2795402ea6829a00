import { createHash } from "node:crypto";
import { codeOf } from "../../model/index.ts";
import type { Clock, Log } from "../../platform/index.ts";
import { type Client, close, disconnect } from "./connect.ts";
import { MIGRATIONS, type Migration } from "./migrations/all-migrations.ts";
import { toStoreError, unusable } from "./store-error.ts";

/** Any number that no other program uses for its locks in this database. */
const LOCK = 7_522_130_426;
const NODE_ALIVE_SECONDS = 15;
const PERMISSION_DENIED = "42501";

interface Applied {
  readonly number: number;
  readonly name: string;
  readonly needs: string;
  readonly sha256: string;
}

export interface MigrateOptions {
  readonly connect: () => Promise<Client>;
  readonly clock: Clock;
  readonly log: Log;
  /** The version of this program. */
  readonly version: string;
  /** `false` only checks that there is nothing to do. */
  readonly mayChange: boolean;
  readonly migrations?: readonly Migration[];
}

/**
 * Brings the tables to the state that this version needs. Returns the names of the migrations that were applied. Each is one transaction.
 * Several processes may do this at once. Refuses tables that only a newer version can use.
 */
export async function migrate({
  migrations = MIGRATIONS,
  ...options
}: MigrateOptions): Promise<readonly string[]> {
  const { connect, clock, log } = options;
  const client = await connect();
  const done: string[] = [];
  try {
    for (;;) {
      const next = await applyNext(client, migrations, options);
      if (next === undefined) break;
      log.log("info", "store.migrated", { migration: next });
      done.push(next);
    }
  } catch (error) {
    disconnect(client); // which rolls back
    throw codeOf(error) === PERMISSION_DENIED ? notPermitted(error) : toStoreError(error);
  }
  await close(clock, client);
  return done;
}

/** Applies the first missing migration. Returns its name, or `undefined` if there is none. */
async function applyNext(
  client: Client,
  migrations: readonly Migration[],
  { version, mayChange }: MigrateOptions,
): Promise<string | undefined> {
  await client.query("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '5min'");
  // Released at the end of the transaction, so no pooler and no crash can keep it.
  if (mayChange) await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
  await client.query("SET LOCAL lock_timeout = '10s'"); // a migration that waits for a table makes all others wait
  const applied = await readApplied(client, mayChange);
  const next = nextMigration(applied, migrations, version);
  if (next === undefined) {
    await client.query("COMMIT");
    return undefined;
  }
  if (!mayChange)
    throw unusable(
      `The database does not have the tables of this version yet: ${next.name} is missing.`,
      "Run: plugboard serve --migrate-only",
    );
  if (next.number > 1) await assertNoOlderNode(client, next);
  await client.query(next.sql);
  await client.query(
    "INSERT INTO plugboard.migrations (number, name, needs, sha256, applied_by) VALUES ($1, $2, $3, $4, $5)",
    [next.number, next.name, next.needs, sha256(next.sql), version],
  );
  await client.query("COMMIT");
  return next.name;
}

async function readApplied(client: Client, mayChange: boolean): Promise<readonly Applied[]> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('plugboard.migrations') IS NOT NULL AS found",
  );
  if (rows[0]?.found !== true) {
    if (!mayChange) return [];
    // `IF NOT EXISTS` requires the right to create schemas even if the schema exists.
    const schema = await client.query("SELECT to_regnamespace('plugboard') AS found");
    if ((schema.rows[0] as { found: unknown }).found === null) await client.query("CREATE SCHEMA plugboard");
    await client.query(`CREATE TABLE plugboard.migrations (number integer PRIMARY KEY, name text NOT NULL, needs text NOT NULL,
      sha256 text NOT NULL, applied_by text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  }
  const { rows: applied } = await client.query<Applied>(
    "SELECT number, name, needs, sha256 FROM plugboard.migrations ORDER BY number",
  );
  return applied;
}

/** Returns the first migration that is missing. Throws if this version cannot use the tables. */
function nextMigration(
  applied: readonly Applied[],
  migrations: readonly Migration[],
  version: string,
): Migration | undefined {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const { number, name, needs, sha256: hash } of applied) {
    const migration = known.get(number);
    if (migration === undefined && isOlder(version, needs))
      throw unusable(
        `The database has tables of a newer version (${name}), which need Plugboard ${needs} or later. This is ${version}.`,
        `Use Plugboard ${needs} or later.`,
      );
    if (migration !== undefined && sha256(migration.sql) !== hash)
      throw unusable(
        `The database has another version of the migration ${name}.`,
        "Use the release of Plugboard that created the tables, or restore a backup.",
      );
  }
  const numbers = new Set(applied.map(({ number }) => number));
  return migrations.find(({ number }) => !numbers.has(number));
}

/** A gateway that is too old for the new tables must end before they change. */
async function assertNoOlderNode(client: Client, { name, needs }: Migration): Promise<void> {
  const { rows } = await client.query<{ id: string; version: string }>(
    "SELECT id, version FROM plugboard.nodes WHERE seen_at > now() - make_interval(secs => $1)",
    [NODE_ALIVE_SECONDS],
  );
  const old = rows.find(({ version }) => isOlder(version, needs));
  if (old !== undefined)
    throw unusable(
      `${name} cannot be applied while a gateway with version ${old.version} is running. It needs ${needs} or later.`,
      "Replace that gateway first.",
    );
}

function notPermitted(cause: unknown): Error {
  return unusable(
    "The database's user may not create the tables.",
    "Run plugboard serve --migrate-only with a user that owns the database.",
    cause,
  );
}

function isOlder(version: string, than: string): boolean {
  const [mine, other] = [version, than].map((text) =>
    (/^\d+\.\d+\.\d+/.exec(text)?.[0] ?? "0.0.0").split(".").map(Number),
  );
  const index = mine?.findIndex((part, at) => part !== other?.[at]) ?? -1;
  return index >= 0 && (mine?.[index] ?? 0) < (other?.[index] ?? 0);
}

function sha256(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}
