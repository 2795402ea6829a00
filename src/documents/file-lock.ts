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

/** One line of a lock file. */
interface Claim {
  readonly pid: number;
  readonly mark: string;
  /** The mark of the dead holder that it takes the lock over from; a lock that nobody held is claimed without. */
  readonly from: string | undefined;
}

/** Marks of the locks that this very process holds or waits for: a lock with its number and another mark is a dead one's. */
const ownMarks = new Set<string>();

/** Waits for the lock file and makes it ours. A lock left behind by a process that died is taken over. */
export async function acquireLock(ports: Ports, path: string, waitMs: number = WAIT_MS): Promise<FileLock> {
  const { files } = ports;
  const mark = randomBytes(8).toString("hex");
  const release = async (): Promise<void> => {
    try {
      if (holderIn(await readText(files, path))?.mark === mark) await files.remove(path);
    } catch {
      /* what was done under the lock is done; without its mark the lock is a dead one's, for whoever comes next */
    } finally {
      ownMarks.delete(mark);
    }
  };
  ownMarks.add(mark);
  try {
    await claim(ports, path, mark, waitMs);
  } catch (error) {
    await release(); // it may be ours, and only the look at it failed
    throw error;
  }
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

/** Done when the lock is held under this mark. Whoever dies on the way leaves lines in the lock file and nothing beside it. */
async function claim(
  { files, processes, clock }: Ports,
  path: string,
  mark: string,
  waitMs: number,
): Promise<void> {
  const mine = `${processes.ownPid} ${mark}`;
  let seen: string | undefined;
  let since = elapsed(clock);
  for (;;) {
    await create(files, path, mine);
    const text = await readText(files, path);
    const holder = holderIn(text);
    if (holder?.mark === mark) return;
    if (text !== seen) [seen, since] = [text, elapsed(clock)];
    const waited = elapsed(clock) - since;
    if (text !== undefined && waited >= GRACE_MS && isDead(holder, processes)) {
      if (holder !== undefined) await files.remove(temporaryFile({ path, mark: holder.mark }));
      await files.append(path, holder === undefined ? `\n${mine}\n` : `\n${mine} ${holder.mark}\n`, 0o600);
    } else if (waited > waitMs) throw lockedBy(path, holder);
    else await delay(clock, POLL_MS);
  }
}

/** Does nothing when there is a lock. */
async function create(files: Files, path: string, text: string): Promise<void> {
  try {
    await files.create(path, text, 0o600);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/**
 * Lines are only ever added, so all who read see the same holder: the first who claimed the lock, or the first who
 * claimed it from that one once it was dead, and so on. Whoever was second has to claim it anew.
 */
function holderIn(text = ""): Claim | undefined {
  let holder: Claim | undefined;
  for (const line of text.split("\n")) {
    const next = claimIn(line);
    if (next !== undefined && next.from === holder?.mark) holder = next;
  }
  return holder;
}

/** A lock without a holder was never finished: its writer died, or is about to say who it is. */
function isDead(holder: Claim | undefined, processes: Processes): boolean {
  if (holder === undefined) return true;
  return holder.pid === processes.ownPid ? !ownMarks.has(holder.mark) : !processes.isAlive(holder.pid);
}

function claimIn(line: string): Claim | undefined {
  const [, pid, mark, from] = /^(\d+) ([0-9a-f]{16})(?: ([0-9a-f]{16}))?$/.exec(line) ?? [];
  return pid === undefined || mark === undefined ? undefined : { pid: Number(pid), mark, from };
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

function lockedBy(path: string, holder: Claim | undefined): HostError {
  const pid = holder?.pid ?? "unknown";
  return new HostError("STATE_LOCKED", `Another process (${pid}) keeps ${path} locked.`, {
    hint: "Wait for it to end, or delete the lock file if no other Plugboard is running.",
  });
}
