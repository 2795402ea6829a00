import { forEachYielding, nextTurn } from "../yielding.ts";
import { type ProcessTable, procTable, readPsTable } from "./process-table.ts";
import { tellReaper } from "./reaper.ts";
import { signalWithGroup } from "./signal.ts";

/**
 * Follows everything that a server starts, by parent id, while it runs: a process that clears its environment and leaves
 * its process group is known if it was seen once before its parent ended.
 */
export interface Descendants {
  /** Looks and then calls back: at once, unless it takes so long that other work has to run in between. */
  look(then?: () => void): void;
  /** Looks unless that was done a moment ago. */
  lookAgain(): void;
  /** Looks without any pause; only for the end of this process. */
  lookAtExit(): void;
  /** Signals the server and its descendants that are running now; 0 only looks. Returns their ids. */
  signal(name: NodeJS.Signals | 0): Promise<number[]>;
  stop(): void;
}

/** Process ids with start times; "" for a server that was started a moment ago. */
export type Known = Map<number, string>;

const FIRST_MS = 50;
const USUAL_MS = 1_000;
const LONGEST_MS = 10_000;
/** Looking may take up to one part in that many of the time. */
const SHARE = 500;

/** Process-wide: the reaper is given one list with the descendants of all hosts. */
const trees = new Set<Known>();
let timer: NodeJS.Timeout | undefined;
let intervalMs = FIRST_MS;

/** How long looking may keep other work from running. */
const SLICE_MS = 15;
/** A process may start others faster than they are looked at, so looking ends after that many slices. */
const MOST_SLICES = 300;

export function followDescendants(pid: number, platform: string): Descendants {
  const known: Known = new Map([[pid, ""]]);
  const hasProc = platform === "linux";
  let restUntil = 0;
  const look = (then: () => void = () => {}): void => {
    if (!hasProc) return then();
    const beganAt = performance.now();
    const steps = addDescendants(known, procTable, process.pid);
    const finish = (tookMs: number): void => {
      restUntil = performance.now() + Math.max(FIRST_MS, tookMs * SHARE);
      share();
      then();
    };
    try {
      if (runFor(SLICE_MS, steps)) return finish(performance.now() - beganAt);
    } catch {
      return finish(performance.now() - beganAt); // the next look may succeed
    }
    restUntil = Number.POSITIVE_INFINITY;
    void runInSlices(steps)
      .catch(() => SLICE_MS)
      .then((tookMs) => trees.has(known) && finish(SLICE_MS + tookMs));
  };
  trees.add(known);
  look();
  restUntil = 0; // its first output is worth a look in any case
  intervalMs = FIRST_MS; // servers start others when they start
  schedule(platform);
  return {
    look,
    lookAgain() {
      if (performance.now() >= restUntil) look();
    },
    lookAtExit() {
      if (!hasProc) return;
      try {
        runFor(SLICE_MS * MOST_SLICES, addDescendants(known, procTable, process.pid));
      } catch {
        /* the others are told to the reaper all the same */
      }
      share();
    },
    async signal(name) {
      const table = hasProc ? procTable : await readPsTable().catch(() => undefined);
      if (table === undefined) return []; // a `ps` that does not know these columns
      await runInSlices(addDescendants(known, table, process.pid));
      return name === 0 ? [...known.keys()] : signalAll(known, table, name);
    },
    stop: () => void trees.delete(known),
  };
}

/** Each must still be the process that was seen: its id may have been given to another meanwhile. */
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

/** Returns whether there are no more steps. */
function runFor(ms: number, steps: Iterator<undefined>): boolean {
  const endsAt = performance.now() + ms;
  do if (steps.next().done) return true;
  while (performance.now() < endsAt);
  return false;
}

/** Lets other work run between the slices. Returns how long they took at most. */
async function runInSlices(steps: Iterator<undefined>): Promise<number> {
  let slices = 1;
  for (; !runFor(SLICE_MS, steps) && slices < MOST_SLICES; slices += 1) await nextTurn();
  return slices * SLICE_MS;
}

/**
 * Adds the descendants of the known processes, and forgets those that have ended. Other work may run between any two steps, also
 * another look that changes what is known.
 */
export function* addDescendants(
  known: Known,
  table: ProcessTable,
  ownPid: number,
): Generator<undefined, void, undefined> {
  for (const [pid, start] of known) {
    const children: [number, string][] = [];
    for (const some of table.childrenOf(pid)) {
      yield;
      for (const child of some) {
        const facts = table.factsOf(child);
        if (facts?.parent === pid) children.push([child, facts.start]);
        yield;
      }
    }
    // Read after its children: if it is still the same process, they are its own.
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
  timer = setTimeout(() => void lookAtAll(platform), intervalMs);
  timer.unref();
}

async function lookAtAll(platform: string): Promise<void> {
  if (trees.size === 0) return;
  const beganAt = performance.now();
  try {
    const table = platform === "linux" ? procTable : await readPsTable();
    for (const known of trees) await runInSlices(addDescendants(known, table, process.pid));
    share();
  } catch {
    /* the next look may succeed */
  }
  const tookMs = performance.now() - beganAt;
  intervalMs = Math.min(Math.max(Math.min(intervalMs * 2, USUAL_MS), tookMs * SHARE), LONGEST_MS);
  schedule(platform);
}

/** The reaper ends them if this process is killed. */
function share(): void {
  const all = [...trees].flatMap((known) => [...known]);
  tellReaper(all.flatMap(([pid, start]) => (start === "" ? [] : [`${pid}:${start}`])).join(" "));
}
