import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { createPace } from "../yielding.ts";
import { ownProgram } from "./own-program.ts";
import { createStartReader, namesIn, textOf } from "./process-table.ts";
import { signalWithGroup } from "./signal.ts";

/** In the environment of every server and, by inheritance, of all it starts: what leaves its process group is still known by it. */
export const RUN_VARIABLE = "PLUGBOARD_RUN";

/** Process-wide: the reaper finds everything that this process started by one mark, whichever host started it. */
let ownId: string | undefined;
let runs = 0;
let generation = 1;

/** Part of that variable in everything that this process started, and in nothing else. */
export function ownMark(): string {
  // No secret, so that nothing has to be loaded for it: it only must not come twice on one machine.
  ownId ??= [process.pid, Date.now(), Math.random() * 2 ** 52].map((part) => part.toString(36)).join("-");
  return `${ownId}.`;
}

/** The name of one more server, or of a command whose background processes may stay when it has ended. */
export function nextRun(mayLeaveProcesses = false): string {
  runs += 1;
  return `${mayLeaveProcesses ? ownMark() : serverMark()}${runs}`;
}

/** Part of the variable in everything that servers started since the last call of `retireServerMark`. */
function serverMark(): string {
  return `${ownMark()}${generation}.`;
}

/** Returns the mark of all servers so far. Later servers get another one, so that it can be looked for without finding them. */
export function retireServerMark(): string {
  const mark = serverMark();
  generation += 1;
  return mark;
}

/** The value of the variable for a server. If this process is a server of another host, that host still finds all of it. */
export function runValue(run: string): string {
  const outer = process.env[RUN_VARIABLE];
  return outer ? `${outer}/${run}` : run;
}

type Found = ReadonlyMap<string, ReadonlySet<number>>;

/** Process-wide: one look finds the processes of all hosts, and the rest between two looks is for the whole machine. */
let before: Promise<unknown> = Promise.resolve();
let next: Promise<Found> | undefined;
let restUntil = 0;
const doomed = new Set<string>();

/**
 * Our processes by run. Everyone who asks before the look around begins shares it: twenty servers are closed with one. After
 * each there is a rest as long as it took: a thousand servers that end one by one must not be looked for all the time.
 */
export function findMarked(platform: string): Promise<Found> {
  next ??= before.then(async () => {
    const restMs = restUntil - performance.now();
    if (restMs > 0) await delay(restMs);
    next = undefined;
    const looking = look(platform);
    before = looking.catch(() => {});
    return looking;
  });
  return next;
}

/** Kills the processes of a run, each at the moment it is found: it may start another a moment later. Returns those it found. */
export async function killMarked(run: string, platform: string): Promise<readonly number[]> {
  doomed.add(run);
  try {
    return [...((await findMarked(platform)).get(run) ?? [])];
  } finally {
    doomed.delete(run);
  }
}

async function look(platform: string): Promise<Found> {
  const beganAt = performance.now();
  const found = await (platform === "linux" ? lookInProc() : askPs(platform));
  const endedAt = performance.now();
  restUntil = endedAt + (endedAt - beganAt);
  return found;
}

/** Process-wide, because a look reads the processes of all hosts. */
let oldest: { readonly pid: number; readonly at: number } | undefined;

/** The first of the servers that are now running. */
export function noteOldest(pid: number | undefined): void {
  oldest = pid === undefined ? undefined : { pid, at: performance.now() };
}

/** No system gives out all its numbers within that time. */
const SHORT_MS = 5_000;

/** Numbers are given out in turn: what a server of a short while ago started has a higher one, unless they began anew since. */
function lowestPid(): number {
  if (oldest === undefined || performance.now() - oldest.at > SHORT_MS) return 0;
  return lastPid() >= oldest.pid ? oldest.pid : 0;
}

/** On a system that starts processes all the time a look ends after that many rounds. */
const MOST_ROUNDS = 50;

/**
 * A process may start another in a session of its own and end, again and again: the one that was listed is gone when it is
 * read. So the newest are read first, then the ids that were given out meanwhile, until there are no more: everything
 * that is alive by then was read. A process that changes to another program has no environment for a moment and is read again.
 */
async function lookInProc(): Promise<Found> {
  const found = new Map<string, Set<number>>();
  const pace = createPace();
  const lowest = lowestPid();
  const empty = new Set<number>();
  const startOf = createStartReader();
  let last = lastPid();
  let pids = listedPids().filter((pid) => pid >= lowest);
  for (let round = 0; round < MOST_ROUNDS && pids.length > 0; round += 1) {
    const unclear: number[] = [];
    for (const pid of pids) {
      const pause = pace();
      if (pause !== undefined) await pause;
      const environment = startOf(`/proc/${pid}/environ`);
      if (environment?.length === 0 && !empty.has(pid)) unclear.push(pid);
      else if (environment !== undefined) note(found, pid, environment);
    }
    for (const pid of unclear) empty.add(pid);
    const newest = lastPid();
    pids = newest < last ? listedPids() : [...idsDownFrom(newest, last), ...unclear];
    last = newest;
  }
  return found;
}

const listedPids = (): number[] => namesIn("/proc").map(Number).filter(Number.isInteger).reverse();

/** The id that was given out last; 0 if the system does not say. */
function lastPid(): number {
  return Number(textOf("/proc/loadavg").trim().split(" ").at(-1)) || 0;
}

function idsDownFrom(newest: number, last: number): number[] {
  return Array.from({ length: newest - last }, (_, index) => newest - index);
}

/** Where there is no `/proc`; `ps` shows the environment of the person's own processes. */
function askPs(platform: string): Promise<Found> {
  const flags = platform === "darwin" ? "-AEww" : "-axeww";
  return new Promise((resolve) => {
    const { command, options: own } = ownProgram("ps", platform);
    const options = { ...own, maxBuffer: 64 * 1024 * 1024, encoding: "buffer" as const };
    execFile(command, [flags, "-o", "pid=,command="], options, (_error, output) => {
      const found = new Map<string, Set<number>>();
      for (let at = output.indexOf(ownMark()); at !== -1; at = output.indexOf(ownMark(), at)) {
        const line = output.lastIndexOf("\n", at) + 1;
        const end = output.indexOf("\n", at);
        note(
          found,
          Number.parseInt(output.toString("latin1", line, line + LONGEST_ID), 10),
          output.subarray(at),
        );
        at = end === -1 ? output.length : end;
      }
      resolve(found);
    });
  });
}

const LONGEST_ID = 20;
/** Of the name of a run. A server may put anything behind the mark. */
const LONGEST_RUN = 100;

function note(found: Map<string, Set<number>>, pid: number, environment: Buffer): void {
  const at = environment.indexOf(ownMark());
  if (at === -1 || pid === process.pid || !Number.isInteger(pid)) return;
  const [run = ""] = /^[\w.-]+/.exec(environment.toString("latin1", at, at + LONGEST_RUN)) ?? [];
  if (doomed.has(run)) signalWithGroup(pid, "SIGKILL");
  const pids = found.get(run);
  if (pids === undefined) found.set(run, new Set([pid]));
  else pids.add(pid);
}
