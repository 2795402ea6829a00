import { forEachYielding, nextTurn } from "../yielding.ts";
import { type ProcessTable, procTable, readPsTable } from "./process-table.ts";
import { sendToReaper } from "./reaper.ts";
import { signalWithGroup } from "./signal.ts";

/**
 * Tracks everything that a server starts, by parent id, while the server runs. This finds a process that clears its
 * environment and leaves its process group, if it was seen once before its parent ended.
 */
export interface Descendants {
  /**
   * Scans for descendants, then calls back: synchronously, unless the scan takes so long that other work must run in
   * between.
   */
  scan(then?: () => void): void;
  /** Scans unless the last scan was a moment ago. */
  scanAgain(): void;
  /** Scans without pausing. Only for the exit of this process. */
  scanAtExit(): void;
  /** Signals the server and its running descendants. 0 only checks. Returns their ids. */
  signal(name: NodeJS.Signals | 0): Promise<number[]>;
  /** Returns the ids of the server and the descendants found so far. Some may have ended. */
  pids(): readonly number[];
  /** Stops tracking. */
  stop(): void;
}

/** Process ids with their start times. The start time is "" for a server that was just started. */
export type Known = Map<number, string>;

const FIRST_MS = 50;
const USUAL_MS = 1_000;
const LONGEST_MS = 10_000;
/** Scanning may take up to one part in this many of the time. */
const SHARE = 500;

/** Process-wide: the reaper gets one list with the descendants of all hosts. */
const trees = new Set<Known>();
let timer: NodeJS.Timeout | undefined;
let intervalMs = FIRST_MS;

/** How long a scan may block other work. */
const SLICE_MS = 15;
/** A scan ends after this many slices, because a process can start others faster than they are found. */
const MAX_SLICES = 300;

/** Starts tracking the descendants of a server. */
export function followDescendants(pid: number, platform: string): Descendants {
  const known: Known = new Map([[pid, ""]]);
  const hasProc = platform === "linux";
  // A timer, because reading the clock for every piece of output costs more.
  let isPaused = false;
  let pauseTimer: NodeJS.Timeout | undefined;
  const pause = (ms: number): void => {
    isPaused = true;
    clearTimeout(pauseTimer);
    if (trees.has(known)) pauseTimer = setTimeout(resume, ms).unref();
  };
  const resume = (): void => {
    isPaused = false;
    clearTimeout(pauseTimer);
  };
  const scan = (then: () => void = () => {}): void => {
    if (!hasProc) return then();
    const beganAt = performance.now();
    const steps = addDescendants(known, procTable, process.pid);
    const finish = (tookMs: number): void => {
      pause(Math.max(FIRST_MS, tookMs * SHARE));
      updateReaperList();
      then();
    };
    try {
      if (runFor(SLICE_MS, steps)) return finish(performance.now() - beganAt);
    } catch {
      return finish(performance.now() - beganAt); // the next scan may succeed
    }
    isPaused = true;
    clearTimeout(pauseTimer);
    void runInSlices(steps)
      .catch(() => SLICE_MS)
      .then((tookMs) => trees.has(known) && finish(SLICE_MS + tookMs));
  };
  trees.add(known);
  scan();
  resume(); // always scan at the first output
  intervalMs = FIRST_MS; // servers start most processes at startup
  schedule(platform);
  return {
    scan,
    scanAgain() {
      if (!isPaused) scan();
    },
    scanAtExit() {
      if (!hasProc) return;
      try {
        runFor(SLICE_MS * MAX_SLICES, addDescendants(known, procTable, process.pid));
      } catch {
        /* the reaper still gets the processes found so far */
      }
      updateReaperList();
    },
    async signal(name) {
      const table = hasProc ? procTable : await readPsTable().catch(() => undefined);
      if (table === undefined) return []; // this `ps` does not support the columns
      await runInSlices(addDescendants(known, table, process.pid));
      return name === 0 ? [...known.keys()] : signalAll(known, table, name);
    },
    pids: () => [...known.keys()],
    stop() {
      trees.delete(known);
      clearTimeout(pauseTimer);
    },
  };
}

/** Signals each process if it is still the one that was found: another process may have received its id. */
async function signalAll(known: Known, table: ProcessTable, name: NodeJS.Signals): Promise<number[]> {
  const found: number[] = [];
  await forEachYielding([...known], ([pid, start]) => {
    if (table.factsOf(pid)?.start === start) {
      signalWithGroup(pid, name);
      found.push(pid);
    }
    return true;
  });
  return found;
}

/** Runs steps for at most `ms`. Returns whether all steps are done. */
function runFor(ms: number, steps: Iterator<undefined>): boolean {
  const endsAt = performance.now() + ms;
  do if (steps.next().done) return true;
  while (performance.now() < endsAt);
  return false;
}

/** Runs steps in slices and lets other work run in between. Returns how long the slices took at most. */
async function runInSlices(steps: Iterator<undefined>): Promise<number> {
  let slices = 1;
  for (; !runFor(SLICE_MS, steps) && slices < MAX_SLICES; slices += 1) await nextTurn();
  return slices * SLICE_MS;
}

/**
 * Adds the descendants of the known processes, and removes processes that have ended. Other work may run between any
 * two steps, including another scan that changes `known`.
 */
export function* addDescendants(
  known: Known,
  table: ProcessTable,
  ownPid: number,
): Generator<undefined, void, undefined> {
  for (const [pid, start] of known) {
    const children: [number, string][] = [];
    for (const batch of table.childrenOf(pid)) {
      yield;
      for (const child of batch) {
        const facts = table.factsOf(child);
        if (facts?.parent === pid) children.push([child, facts.start]);
        yield;
      }
    }
    // Read after the children: if it is still the same process, they are its children.
    const facts = table.factsOf(pid);
    const isSame = start === "" ? facts?.parent === ownPid : facts?.start === start;
    if (facts !== undefined && isSame) {
      known.set(pid, facts.start);
      for (const [child, childStart] of children)
        if (known.get(child) !== childStart) known.set(child, childStart);
    } else if (known.get(pid) === start) known.delete(pid);
    yield;
  }
}

function schedule(platform: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => void scanAll(platform), intervalMs);
  timer.unref();
}

async function scanAll(platform: string): Promise<void> {
  if (trees.size === 0) return;
  const beganAt = performance.now();
  try {
    const table = platform === "linux" ? procTable : await readPsTable();
    for (const known of trees) await runInSlices(addDescendants(known, table, process.pid));
    updateReaperList();
  } catch {
    /* the next scan may succeed */
  }
  const tookMs = performance.now() - beganAt;
  intervalMs = Math.min(Math.max(Math.min(intervalMs * 2, USUAL_MS), tookMs * SHARE), LONGEST_MS);
  schedule(platform);
}

/** Sends all tracked processes to the reaper, which ends them if this process is killed. */
function updateReaperList(): void {
  const all = [...trees].flatMap((known) => [...known]);
  sendToReaper(all.flatMap(([pid, start]) => (start === "" ? [] : [`${pid}:${start}`])).join(" "));
}
