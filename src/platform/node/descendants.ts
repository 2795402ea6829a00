import { type ProcessTable, procTable, readPsTable } from "./process-table.ts";
import { tellReaper } from "./reaper.ts";

/**
 * Follows everything that a server starts, by parent id, while it runs: a process that clears its environment and leaves
 * its process group is known if it was seen once before its parent ended.
 */
export interface Descendants {
  /** Looks at once, on systems where that takes no waiting. */
  lookNow(): void;
  /** The same, unless it was done a moment ago. */
  lookAgain(): void;
  /** The server and its descendants that are running now. */
  pids(): Promise<number[]>;
  stop(): void;
}

/** Process ids with start times; "" for a server that was started a moment ago. */
export type Known = Map<number, string>;

const FIRST_MS = 50;
const USUAL_MS = 1_000;
const LONGEST_MS = 10_000;
/** Looking may take up to one part in that many of the time. */
const SHARE = 500;

const trees = new Set<Known>();
let timer: NodeJS.Timeout | undefined;
let intervalMs = FIRST_MS;

export function followDescendants(pid: number, platform: string): Descendants {
  const known: Known = new Map([[pid, ""]]);
  const hasProc = platform === "linux";
  let restUntil = 0;
  const lookNow = (): void => {
    if (!hasProc) return;
    const beganAt = performance.now();
    try {
      addDescendants(known, procTable, process.pid);
      share();
    } catch {
      /* the next look may succeed */
    }
    const endedAt = performance.now();
    restUntil = endedAt + Math.max(FIRST_MS, (endedAt - beganAt) * SHARE);
  };
  trees.add(known);
  lookNow();
  restUntil = 0; // its first output is worth a look in any case
  intervalMs = FIRST_MS; // servers start others when they start
  schedule(platform);
  return {
    lookNow,
    lookAgain() {
      if (performance.now() >= restUntil) lookNow();
    },
    async pids() {
      const table = hasProc ? procTable : await readPsTable().catch(() => undefined);
      if (table === undefined) return []; // a `ps` that does not know these columns
      addDescendants(known, table, process.pid);
      return [...known.keys()];
    },
    stop: () => void trees.delete(known),
  };
}

/** Adds the descendants of the known processes, and forgets those that have ended. */
export function addDescendants(known: Known, table: ProcessTable, ownPid: number): void {
  for (const [pid, start] of known) {
    const children = table.childrenOf(pid).flatMap((child) => {
      const facts = table.factsOf(child);
      return facts?.parent === pid ? [[child, facts.start] as const] : [];
    });
    // Read after its children: if it is still the same process, they are its own.
    const facts = table.factsOf(pid);
    const isSame = start === "" ? facts?.parent === ownPid : facts?.start === start;
    if (facts === undefined || !isSame) {
      known.delete(pid);
      continue;
    }
    known.set(pid, facts.start);
    for (const [child, childStart] of children)
      if (known.get(child) !== childStart) known.set(child, childStart);
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
    for (const known of trees) addDescendants(known, table, process.pid);
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
