import { execFile } from "node:child_process";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { ownProgram } from "./own-program.ts";
import { namesIn, textOf } from "./process-table.ts";

/** In the environment of every server and, by inheritance, of all it starts: what leaves its process group is still known by it. */
export const RUN_VARIABLE = "PLUGBOARD_RUN";

let ownId: string | undefined;
let runs = 0;

/** Part of that variable in everything that this process started, and in nothing else. */
export function ownMark(): string {
  // No secret, so that nothing has to be loaded for it: it only must not come twice on one machine.
  ownId ??= [process.pid, Date.now(), Math.random() * 2 ** 52].map((part) => part.toString(36)).join("-");
  return `${ownId}.`;
}

/** The name of one more server. */
export function nextRun(): string {
  runs += 1;
  return `${ownMark()}${runs}`;
}

/** The value of the variable for a server. If this process is a server of another host, that host still finds all of it. */
export function runValue(run: string): string {
  const outer = process.env[RUN_VARIABLE];
  return outer ? `${outer}/${run}` : run;
}

type Found = ReadonlyMap<string, readonly number[]>;

/** A system may have thousands of processes; the others get their turn in between. */
const READ_AT_ONCE = 250;

let before: Promise<unknown> = Promise.resolve();
let next: Promise<Found> | undefined;

let restUntil = 0;

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

async function look(platform: string): Promise<Found> {
  const beganAt = performance.now();
  const found = await (platform === "linux" ? lookInProc() : askPs(platform));
  const endedAt = performance.now();
  restUntil = endedAt + (endedAt - beganAt);
  return found;
}

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
  const last = Number(textOf("/proc/loadavg").trim().split(" ").at(-1));
  return last >= oldest.pid ? oldest.pid : 0;
}

async function lookInProc(): Promise<Found> {
  const found = new Map<string, number[]>();
  const lowest = lowestPid();
  const pids = namesIn("/proc")
    .map(Number)
    .filter((pid) => pid >= lowest);
  for (const [index, pid] of pids.entries()) {
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await nextTurn();
    note(found, pid, textOf(`/proc/${pid}/environ`));
  }
  return found;
}

/** Where there is no `/proc`; `ps` shows the environment of the person's own processes. */
function askPs(platform: string): Promise<Found> {
  const flags = platform === "darwin" ? "-AEww" : "-axeww";
  return new Promise((resolve) => {
    const { command, options: own } = ownProgram("ps", platform);
    const options = { ...own, maxBuffer: 64 * 1024 * 1024 };
    execFile(command, [flags, "-o", "pid=,command="], options, (_error, output) => {
      const found = new Map<string, number[]>();
      for (const line of output.split("\n")) note(found, Number.parseInt(line, 10), line);
      resolve(found);
    });
  });
}

function note(found: Map<string, number[]>, pid: number, environment: string): void {
  const at = environment.indexOf(ownMark());
  if (at === -1 || pid === process.pid || !Number.isInteger(pid)) return;
  const [run = ""] = /^[\w.-]+/.exec(environment.slice(at)) ?? [];
  found.set(run, [...(found.get(run) ?? []), pid]);
}
