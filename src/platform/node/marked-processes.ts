import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { createPace } from "../yielding.ts";
import { createStartReader, namesIn, textOf } from "./process-table.ts";
import { signalWithGroup } from "./signal.ts";
import { systemProgram } from "./system-program.ts";

/**
 * Set in the environment of every server and inherited by everything it starts. Identifies processes that left their
 * group.
 */
export const RUN_VARIABLE = "PLUGBOARD_RUN";

/** Process-wide: the reaper finds everything that this process started by one mark, for all hosts. */
let ownId: string | undefined;
const runs = new Set<string>();
let generation = 1;

/** Returns the part of `RUN_VARIABLE` that only processes started by this process have. */
export function ownMark(): string {
  // The mark must only be unique on this machine, not secret, so no crypto module is loaded for it.
  ownId ??= [process.pid, Date.now(), Math.random() * 2 ** 52].map((part) => part.toString(36)).join("-");
  return `${ownId}.`;
}

/** Returns the id of a new run: of a server, or of a command whose background processes may outlive it. */
export function nextRun(mayLeaveProcesses = false): string {
  const run = `${mayLeaveProcesses ? ownMark() : serverMark()}${runs.size + 1}`;
  runs.add(run);
  return run;
}

/** Returns the mark of the servers started since the last call of `retireServerMark`, and of their descendants. */
function serverMark(): string {
  return `${ownMark()}${generation}.`;
}

/**
 * Returns the mark of all servers started so far. Later servers get another mark, so that a search does not find them.
 */
export function retireServerMark(): string {
  const mark = serverMark();
  generation += 1;
  return mark;
}

/** Returns the value of the variable for a run. If this process is itself a server, it keeps the mark of its host. */
export function runValue(run: string): string {
  const outer = process.env[RUN_VARIABLE];
  return outer ? `${outer}/${run}` : run;
}

type Found = ReadonlyMap<string, ReadonlySet<number>>;

/** Process-wide: one scan finds the processes of all hosts. The pause between scans limits the load on the machine. */
let before: Promise<unknown> = Promise.resolve();
let next: Promise<Found> | undefined;
let pausedUntil = 0;
const runsToKill = new Set<string>();

/**
 * Returns this process's marked processes, by run. Calls made before a scan starts share it, so that one scan is enough
 * to close twenty servers. After each scan there is a pause as long as the scan, so that many closing servers do not
 * cause constant scans.
 */
export function findMarked(platform: string): Promise<Found> {
  next ??= before.then(async () => {
    const waitMs = pausedUntil - performance.now();
    if (waitMs > 0) await delay(waitMs);
    next = undefined;
    const running = scan(platform);
    before = running.catch(() => {});
    return running;
  });
  return next;
}

/**
 * Kills the processes of a run. Kills each as soon as it is found, because it could start another. Returns their ids.
 */
export async function killMarked(run: string, platform: string): Promise<readonly number[]> {
  runsToKill.add(run);
  try {
    return [...((await findMarked(platform)).get(run) ?? [])];
  } finally {
    runsToKill.delete(run);
  }
}

async function scan(platform: string): Promise<Found> {
  const beganAt = performance.now();
  const found = await (platform === "linux" ? scanProc() : scanWithPs(platform));
  const endedAt = performance.now();
  pausedUntil = endedAt + (endedAt - beganAt);
  return found;
}

/** How many processes and threads the system has started, and the id of the latest. */
export interface StartedSoFar {
  readonly count: number;
  readonly lastPid: number;
}

/** Process-wide, because a scan reads the processes of all hosts. */
let oldest: { readonly pid: number; readonly at: number; readonly count: number } | undefined;

/** Sets the oldest running server. */
export function setOldestServer(pid: number | undefined): void {
  oldest = pid === undefined ? undefined : { pid, at: performance.now(), count: startedSoFar().count };
}

/** After this time, most systems have started so many processes that ids cannot be compared any more. */
const SHORT_MS = 5_000;
/** Systems have at least three times as many ids, and use them in order. */
const MOST_NEW_PROCESSES = 10_000;

function lowestPid(): number {
  if (oldest === undefined || performance.now() - oldest.at > SHORT_MS) return 0;
  return lowestIdSince(oldest, startedSoFar());
}

/**
 * Returns the lowest id that a descendant of a recent server can have. Ids increase until they wrap around, and a server
 * can use them up on purpose.
 */
export function lowestIdSince(
  { pid, count }: { readonly pid: number; readonly count: number },
  now: StartedSoFar,
): number {
  const isInOrder = now.lastPid >= pid && now.count - count < MOST_NEW_PROCESSES;
  return isInOrder ? pid : 0;
}

/** The count is infinite if it is unknown. Then no id is skipped. */
function startedSoFar(): StartedSoFar {
  const [, count = Number.POSITIVE_INFINITY] = /^processes (\d+)$/m.exec(textOf("/proc/stat")) ?? [];
  return { count: Number(count), lastPid: lastPid() };
}

/** A scan ends after this many rounds, even if the system keeps starting processes. */
const MAX_ROUNDS = 50;

/**
 * Finds marked processes in `/proc`. A process can keep starting a copy in a new session and exit, so that a listed
 * process is gone when it is read. So the newest processes are read first, then the ids assigned in the meantime, until there
 * are no more. By then every live process was read. During `exec`, a process has no environment for a moment, so it is
 * read again.
 */
async function scanProc(): Promise<Found> {
  const found = new Map<string, Set<number>>();
  const pace = createPace();
  const lowest = lowestPid();
  const empty = new Set<number>();
  const startOf = createStartReader();
  let last = lastPid();
  let pids = listedPids().filter((pid) => pid >= lowest);
  for (let round = 0; round < MAX_ROUNDS && pids.length > 0; round += 1) {
    const toRetry: number[] = [];
    for (const pid of pids) {
      const pause = pace();
      if (pause !== undefined) await pause;
      const environment = startOf(`/proc/${pid}/environ`);
      if (environment?.length === 0 && !empty.has(pid)) toRetry.push(pid);
      else if (environment !== undefined) addIfMarked(found, pid, environment);
    }
    for (const pid of toRetry) empty.add(pid);
    const newest = lastPid();
    pids = newest < last ? listedPids() : [...idsDownFrom(newest, last), ...toRetry];
    last = newest;
  }
  return found;
}

const listedPids = (): number[] => namesIn("/proc").map(Number).filter(Number.isInteger).reverse();

/** Returns the id that was assigned last, or 0 if it is unknown. */
function lastPid(): number {
  return Number(textOf("/proc/loadavg").trim().split(" ").at(-1)) || 0;
}

function idsDownFrom(newest: number, last: number): number[] {
  return Array.from({ length: newest - last }, (_, index) => newest - index);
}

/** Finds marked processes without `/proc`. `ps` shows the environment of the user's own processes. */
function scanWithPs(platform: string): Promise<Found> {
  const flags = platform === "darwin" ? "-AEww" : "-axeww";
  return new Promise((resolve) => {
    const { command, options: own } = systemProgram("ps", platform);
    const options = { ...own, maxBuffer: 64 * 1024 * 1024, encoding: "buffer" as const };
    execFile(command, [flags, "-o", "pid=,command="], options, (_error, output) => {
      const found = new Map<string, Set<number>>();
      for (let at = output.indexOf(ownMark()); at !== -1; at = output.indexOf(ownMark(), at)) {
        const line = output.lastIndexOf("\n", at) + 1;
        const end = output.indexOf("\n", at);
        const pid = Number.parseInt(output.toString("latin1", line, line + LONGEST_ID), 10);
        const next = end === -1 ? output.length : end;
        addIfMarked(found, pid, output.subarray(at, next));
        at = next;
      }
      resolve(found);
    });
  });
}

const LONGEST_ID = 20;
/** The maximum length of a run's id. A server can write anything after the mark. */
const LONGEST_RUN = 100;

function addIfMarked(found: Map<string, Set<number>>, pid: number, environment: Buffer): void {
  if (pid === process.pid || !Number.isInteger(pid)) return;
  for (const run of runsIn(environment)) {
    if (runsToKill.has(run)) signalWithGroup(pid, "SIGKILL");
    const pids = found.get(run);
    if (pids === undefined) found.set(run, new Set([pid]));
    else pids.add(pid);
  }
}

/**
 * Returns all runs of this process that an environment names. A process can set other variables to marks, even before
 * its own, and to thousands that do not exist.
 */
function runsIn(environment: Buffer): Set<string> {
  const mark = ownMark();
  const named = new Set<string>();
  for (let at = environment.indexOf(mark); at !== -1; at = environment.indexOf(mark, at + mark.length)) {
    const [run = ""] = /^[\w.-]+/.exec(environment.toString("latin1", at, at + LONGEST_RUN)) ?? [];
    if (runs.has(run)) named.add(run);
  }
  return named;
}
