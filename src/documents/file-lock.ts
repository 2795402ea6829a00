import { randomBytes } from "node:crypto";
import { codeOf, HostError, messageOf } from "../model/index.ts";
import { delay, elapsed, type Files, type Ports, type Processes } from "../platform/index.ts";

/** How long one holder may keep a lock before whoever waits gives up. */
const WAIT_MS = 5_000;
/** How long a lock that nobody alive holds has to stay the same before it is taken over. */
const GRACE_MS = 500;
const POLL_MS = 25;

export interface FileLock {
  readonly path: string;
  /** No other lock ever had it. */
  readonly mark: string;
  release(): Promise<void>;
}

/** Marks of the locks that this very process holds or waits for: a lock with its number and another mark is a dead one's. */
const ownMarks = new Set<string>();

/** Waits for the lock file and makes it ours. A lock left behind by a process that died is taken over. */
export async function acquireLock(ports: Ports, path: string, waitMs: number = WAIT_MS): Promise<FileLock> {
  const { files, processes, clock } = ports;
  const mark = randomBytes(8).toString("hex");
  const mine = `${processes.ownPid} ${mark}`;
  ownMarks.add(mark);
  try {
    let seen: string | undefined;
    let since = elapsed(clock);
    while (!(await create(files, path, mine))) {
      const text = await readText(files, path);
      if (text !== seen) [seen, since] = [text, elapsed(clock)];
      const waited = elapsed(clock) - since;
      if (text !== undefined && isDead(text, processes) && waited >= GRACE_MS)
        await removeDead(ports, path, text);
      else if (waited > waitMs) throw lockedBy(path, text);
      else await delay(clock, POLL_MS);
    }
  } catch (error) {
    ownMarks.delete(mark);
    throw error;
  }
  const release = async (): Promise<void> => {
    try {
      if ((await readText(files, path)) === mine) await files.remove(path);
    } catch {
      /* what was done under the lock is done; without its mark the lock is a dead one's, for whoever comes next */
    } finally {
      ownMarks.delete(mark);
    }
  };
  return { path, mark, release };
}

/** One at a time, across processes. `waitMs` is how long one holder may take. */
export async function withFileLock<T>(
  ports: Ports,
  path: string,
  action: () => Promise<T>,
  waitMs: number = WAIT_MS,
): Promise<T> {
  const lock = await acquireLock(ports, path, waitMs).catch((cause: unknown) => {
    throw cause instanceof HostError ? cause : unlockable(path, cause);
  });
  try {
    return await action();
  } finally {
    await lock.release();
  }
}

/** What the holder of a lock is writing. Whoever takes the lock over clears it away. */
export function temporaryFile({ path, mark }: Pick<FileLock, "path" | "mark">): string {
  return `${path}.${mark}.tmp`;
}

/** Answers whether the lock is ours now. One that was taken for a dead one's before its text was there never was. */
async function create(files: Files, path: string, text: string): Promise<boolean> {
  try {
    await files.create(path, text, 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  return (await readText(files, path)) === text;
}

/**
 * Two that wait may find the same dead lock. Each must hold a lock on the removal of that very one before it removes
 * it; the slower one then sees that the lock is another's already.
 */
async function removeDead(ports: Ports, path: string, text: string): Promise<void> {
  const mark = holderOf(text)?.mark ?? "unfinished";
  const removal = await acquireLock(ports, `${path}.${mark}`);
  try {
    if ((await readText(ports.files, path)) !== text) return;
    await ports.files.remove(temporaryFile({ path, mark }));
    await ports.files.remove(path);
  } finally {
    await removal.release();
  }
}

/** A lock without a holder was never finished: its writer died, or is about to say who it is. */
function isDead(text: string, processes: Processes): boolean {
  const holder = holderOf(text);
  if (holder === undefined) return true;
  return holder.pid === processes.ownPid ? !ownMarks.has(holder.mark) : !processes.isAlive(holder.pid);
}

function holderOf(text: string): { readonly pid: number; readonly mark: string } | undefined {
  const [, pid, mark] = /^(\d+) ([0-9a-f]{16})$/.exec(text) ?? [];
  return pid === undefined || mark === undefined ? undefined : { pid: Number(pid), mark };
}

async function readText(files: Files, path: string): Promise<string | undefined> {
  const bytes = await files.read(path);
  return bytes && new TextDecoder().decode(bytes);
}

function unlockable(path: string, cause: unknown): HostError {
  return new HostError("STATE_UNREADABLE", `${path} cannot be made: ${messageOf(cause)}`, {
    hint: "Check the owner and mode of its folder, and the space on the disk.",
    cause,
  });
}

function lockedBy(path: string, text = ""): HostError {
  const holder = holderOf(text)?.pid ?? "unknown";
  return new HostError("STATE_LOCKED", `Another process (${holder}) keeps ${path} locked.`, {
    hint: "Wait for it to end, or delete the lock file if no other Plugboard is running.",
  });
}
