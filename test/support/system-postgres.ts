import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "./find-free-port.ts";
import { makeFolder, owner, SERVER_SETTINGS } from "./postgres.ts";

const ROOT = "/usr/lib/postgresql";
/** The newest version that the system's package manager has installed, with the tools that npm's does not have. */
const binaries: string | undefined = (existsSync(ROOT) ? readdirSync(ROOT) : [])
  .map(Number)
  .filter((version) => version >= 15)
  .toSorted((left, right) => left - right)
  .map((version) => join(ROOT, String(version), "bin"))
  .at(-1);

/** Why the system's PostgreSQL cannot be used; `undefined` if it can. */
export const noSystemPostgres: string | undefined =
  binaries === undefined || !existsSync(join(binaries, "initdb"))
    ? "PostgreSQL 15 or newer of the system is not installed"
    : undefined;

/** The system's PostgreSQL. */
export interface SystemPostgres extends AsyncDisposable {
  /** Returns the URL of a database on it. */
  url(database: string): string;
  /** Runs one of its tools and returns the output. */
  run(tool: string, args: readonly string[], input?: string): string;
  /** Kills it without a chance to clean up. */
  kill(): Promise<void>;
}

/** Starts the system's PostgreSQL with new data, or as a standby of another one. */
export async function startSystemPostgres({
  standbyOf,
}: {
  readonly standbyOf?: SystemPostgres;
} = {}): Promise<SystemPostgres> {
  const folder = await makeFolder();
  const data = join(folder, "data");
  const run = (tool: string, args: readonly string[], input = ""): string =>
    execFileSync(join(binaries ?? "", tool), args, {
      ...owner,
      cwd: folder,
      encoding: "utf8",
      input,
      stdio: ["pipe", "pipe", "inherit"],
    });
  if (standbyOf === undefined)
    run("initdb", ["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "-D", data]);
  else
    run("pg_basebackup", [
      "--no-sync",
      "--checkpoint=fast",
      "--write-recovery-conf",
      "-d",
      standbyOf.url("postgres"),
      "-D",
      data,
    ]);
  const port = await findFreePort();
  const flags = SERVER_SETTINGS.flatMap((setting) => ["-c", setting]);
  const child = spawn(join(binaries ?? "", "postgres"), ["-D", data, "-p", String(port), ...flags], {
    ...owner,
    env: { ...process.env, LC_MESSAGES: "C" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  for await (const text of child.stderr.setEncoding("utf8").iterator({ destroyOnReturn: false }))
    if (/ready to accept (?:read-only )?connections/.test(String(text))) break;
  child.stderr.resume();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "close");
    child.kill(signal);
    await ended;
  };
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    run,
    kill: () => end("SIGKILL"),
    async [Symbol.asyncDispose]() {
      await end("SIGINT"); // ends connections instead of waiting for them
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
