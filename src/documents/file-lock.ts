import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { codeOf, HostError, messageOf } from "../model/index.ts";
import { delay, elapsed, type Files, type Ports, type Processes } from "../platform/index.ts";
import { type Claim, claimText, holdersIn } from "./lock-claims.ts";

/** How long a lock that no running process holds must stay unchanged before it is taken over. */
const GRACE_MS = 500;
/** How long a lock must stay unchanged if its holder may be running, but its heartbeat has stopped. */
const STALE_MS = 10_000;
/** How long a process waits for one holder before it gives up. Longer than `STALE_MS`, so that it takes over first. */
const WAIT_MS = 12_000;
/**
 * Shorter than `GRACE_MS`, because earlier versions take over a lock after that time if they cannot see its process.
 */
const HEARTBEAT_MS = 200;
const POLL_MS = 25;
/** A lock file is a few lines and its heartbeats; a larger file is not a lock. */
const LARGEST_LOCK = 64 * 1024;
/**
 * The longest time to count between two checks of a lock. A waiting process that was suspended saw no changes
 * in the meantime.
 */
const LONGEST_STEP_MS = 250;

/** A lock that this process holds. */
export interface FileLock {
  readonly path: string;
  /** A unique id of this lock. */
  readonly mark: string;
  /** Throws if another process has taken over the lock while this one was suspended. Call it before every write. */
  assertHeld(): Promise<void>;
  /** Releases the lock. Never throws. */
  release(): Promise<void>;
}

/** Marks of locks that this process released but could not remove. */
const abandoned = new Set<string>();

/** Options for waiting for a lock. */
export interface LockOptions {
  /** How long to wait for one holder. */
  readonly waitMs?: number;
  /** How long any lock must stay unchanged before it is taken over. */
  readonly takeoverMs?: number;
  /** Cancels the wait. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for a lock and claims it. Takes over a lock if its holder died or has no heartbeat, or if it did not change for
 * `takeoverMs`.
 */
export async function acquireLock(
  ports: Ports,
  path: string,
  { waitMs = WAIT_MS, takeoverMs = Number.POSITIVE_INFINITY, signal }: LockOptions = {},
): Promise<FileLock> {
  const { files } = ports;
  const mark = randomBytes(8).toString("hex");
  const isHeld = async (): Promise<boolean> => (await holders(files, path)).at(-1)?.mark === mark;
  let stopHeartbeat = async (): Promise<void> => {};
  const release = async (): Promise<void> => {
    await stopHeartbeat();
    try {
      if (await isHeld()) await files.remove(path);
    } catch {
      abandoned.add(mark); // the work under the lock is done; the next process takes the lock over
    }
  };
  try {
    await claim(ports, path, { mark, waitMs, takeoverMs, signal });
  } catch (error) {
    await release(); // the claim may have succeeded even though reading it back failed
    throw error;
  }
  stopHeartbeat = startHeartbeat(ports, path, isHeld);
  return {
    path,
    mark,
    async assertHeld() {
      if (!(await isHeld())) throw lockLost(path);
    },
    release,
  };
}

/** Runs an action in one process at a time. `waitMs` is how long to wait for one holder; `signal` cancels the wait. */
export async function withFileLock<T>(
  ports: Ports,
  path: string,
  action: (lock: FileLock) => Promise<T>,
  { waitMs = WAIT_MS, signal }: { readonly waitMs?: number; readonly signal?: AbortSignal } = {},
): Promise<T> {
  const lock = await acquireLock(ports, path, { waitMs, signal }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw cause instanceof HostError ? cause : cannotLock(path, cause);
  });
  try {
    return await action(lock);
  } finally {
    await lock.release();
  }
}

/**
 * Returns the path of the temporary file that the holder of a lock writes and then renames. A process that takes over
 * the lock deletes it after its claim and before it reads anything. So if a former holder resumes, either it has
 * already renamed the file, and the new holder reads the result, or its rename fails.
 */
export function temporaryFile({ path, mark }: Pick<FileLock, "path" | "mark">): string {
  return `${path}.${mark}.tmp`;
}

/** Resolves when this mark holds the lock. A process that dies while waiting leaves only lines in the lock file. */
async function claim(
  ports: Ports,
  path: string,
  {
    mark,
    waitMs,
    takeoverMs,
    signal,
  }: {
    readonly mark: string;
    readonly waitMs: number;
    readonly takeoverMs: number;
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> {
  const { files, processes, clock } = ports;
  let seen: string | undefined;
  let holderSeen: string | undefined;
  let [unchangedMs, heldMs] = [0, 0];
  let checkedAt = elapsed(clock);
  for (;;) {
    signal?.throwIfAborted();
    await create(files, path, claimText(processes, mark));
    const text = await readClaims(files, path, mark);
    const former = holdersIn(text ?? "");
    const holder = former.pop();
    if (holder?.mark === mark) {
      for (const { mark: formerMark } of former)
        await files.remove(temporaryFile({ path, mark: formerMark }));
      return;
    }
    const now = elapsed(clock);
    const stepMs = Math.min(Math.max(now - checkedAt, 0), LONGEST_STEP_MS);
    checkedAt = now;
    unchangedMs = text === seen ? unchangedMs + stepMs : 0;
    heldMs = holder?.mark === holderSeen ? heldMs + stepMs : 0;
    seen = text;
    holderSeen = holder?.mark;
    const isStale = unchangedMs >= Math.min(takeoverDelay(holder, processes), takeoverMs);
    if (isStale && text !== undefined)
      await takeOver(files, path, mark, claimText(processes, mark, holder?.mark));
    else if (isStale && (await isDangling(files, path))) await discard(files, path, mark);
    else if (heldMs > waitMs) throw lockedBy(path, holder);
    else await delay(clock, POLL_MS);
  }
}

/**
 * Returns how long a lock must stay unchanged before it is taken over. A process id is meaningful only on the same
 * machine, boot and PID namespace. For other holders, only the heartbeat counts, measured by this process, because
 * clocks differ between machines. A lock without a holder is incomplete: its writer died, or is about to write its
 * claim.
 */
function takeoverDelay(holder: Claim | undefined, processes: Processes): number {
  if (holder === undefined || abandoned.has(holder.mark)) return GRACE_MS;
  const { pid, place } = holder;
  const isAlive = processes.isAlive(pid);
  // Earlier versions have no heartbeat. If their process id equals ours, it is an ended process or one in another
  // namespace.
  if (place === undefined) return isAlive && pid !== processes.ownPid ? Number.POSITIVE_INFINITY : STALE_MS;
  return place === processes.place && !isAlive ? GRACE_MS : STALE_MS;
}

/**
 * Adds an empty line to the lock file at intervals. Readers ignore the line, but see that the file changes. Returns a
 * function that stops the heartbeat.
 */
function startHeartbeat(
  { files, clock }: Ports,
  path: string,
  isHeld: () => Promise<boolean>,
): () => Promise<void> {
  let isStopped = false;
  let runningHeartbeat: Promise<void> = Promise.resolve();
  let stopTimer = (): void => {};
  const beat = async (): Promise<void> => {
    try {
      if (!(await isHeld())) isStopped = true;
      if (!isStopped) await files.append(path, "\n", 0o600);
    } catch {
      /* the next heartbeat may succeed */
    }
    if (!isStopped) schedule();
  };
  const schedule = (): void => {
    const run = (): void => {
      if (!isStopped) runningHeartbeat = beat();
    };
    stopTimer = clock.after(HEARTBEAT_MS, run, { background: true });
  };
  schedule();
  return () => {
    isStopped = true;
    stopTimer();
    return runningHeartbeat; // a line added after the lock file was removed would create it again
  };
}

/** Creates the lock file. Does nothing if it exists. */
async function create(files: Files, path: string, text: string): Promise<void> {
  try {
    await files.create(path, text, 0o600);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

async function takeOver(files: Files, path: string, mark: string, claimed: string): Promise<void> {
  try {
    await files.append(path, `\n${claimed}`, 0o600);
  } catch (error) {
    if (codeOf(error) !== "ELOOP") throw error;
    await discard(files, path, mark); // Plugboard never creates a lock that is a link
  }
}

/** Returns the text of the lock file. Removes a file that is too large to be a lock. */
async function readClaims(files: Files, path: string, mark: string): Promise<string | undefined> {
  try {
    return await readText(files, path);
  } catch (error) {
    if (codeOf(error) !== "EFBIG") throw error;
    await discard(files, path, mark);
    return undefined;
  }
}

/** Returns whether the lock file is a broken link, which can neither be read nor created. */
async function isDangling(files: Files, path: string): Promise<boolean> {
  return (await files.realPath(path)) !== join(await files.realPath(dirname(path)), basename(path));
}

/** Removes a lock file that is not a valid lock. Renames it first, so that only one of two processes removes it. */
async function discard(files: Files, path: string, mark: string): Promise<void> {
  const renamedPath = temporaryFile({ path, mark });
  try {
    await files.rename(path, renamedPath);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  await files.remove(renamedPath);
}

async function holders(files: Files, path: string): Promise<Claim[]> {
  return holdersIn((await readText(files, path)) ?? "");
}

async function readText(files: Files, path: string): Promise<string | undefined> {
  const bytes = await files.read(path, LARGEST_LOCK);
  return bytes && new TextDecoder().decode(bytes);
}

function cannotLock(path: string, cause: unknown): HostError {
  return new HostError("STATE_UNREADABLE", `${path} cannot be created: ${messageOf(cause)}`, {
    hint: "Check the owner and mode of its folder, and the free disk space.",
    cause,
  });
}

function lockedBy(path: string, holder: Claim | undefined): HostError {
  const pid = holder?.pid ?? "unknown";
  return new HostError("STATE_LOCKED", `Another process (${pid}) holds the lock ${path}.`, {
    hint: "Wait until that process ends, or delete the lock file if Plugboard is not running elsewhere.",
  });
}

/** Returns the error for a lock that another process took over. */
export function lockLost(path: string): HostError {
  return new HostError(
    "STATE_LOCKED",
    `Another process took over ${path} while this one was suspended, so nothing was written.`,
    { hint: "Try again." },
  );
}
