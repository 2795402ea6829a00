import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { codeOf, HostError, messageOf } from "../model/index.ts";
import { delay, elapsed, type Files, type Ports, type Processes } from "../platform/index.ts";
import { type Claim, claimText, holdersIn } from "./lock-claims.ts";

/** How long a lock that no running process holds must stay unchanged before it is taken over. */
const GRACE_MS = 500;
/** The same for a holder that may be running: its heartbeat has stopped. */
const STALE_MS = 10_000;
/** How long one holder may keep a lock before a waiting process gives up. Longer than `STALE_MS`, so that it takes over first. */
const WAIT_MS = 12_000;
/** Shorter than `GRACE_MS`: earlier versions take over a lock that did not change for that long if they cannot see its process. */
const HEARTBEAT_MS = 200;
const POLL_MS = 25;
/** A lock file is a few lines and its heartbeats; a larger file is not a lock. */
const LARGEST_LOCK = 64 * 1024;
/** The longest time between two looks at a lock that counts: a waiting process that was suspended has seen nothing meanwhile. */
const LONGEST_STEP_MS = 250;

export interface FileLock {
  readonly path: string;
  /** Unique for each lock that was ever taken. */
  readonly mark: string;
  /** Throws if another process has taken the lock over, which happens after this one was suspended. Call it before every write. */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
}

/** Marks of locks that this process released but could not remove. */
const abandoned = new Set<string>();

export interface LockOptions {
  /** How long one holder may take. */
  readonly waitMs?: number;
  readonly takeoverMs?: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for the lock file and claims it. A lock whose holder died or no longer shows a heartbeat is taken over. So is any lock
 * that did not change for `takeoverMs`.
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
      if (!(await isHeld())) throw lost(path);
    },
    release,
  };
}

/** Runs an action in one process at a time. `waitMs` is how long one holder may take; `signal` ends the wait. */
export async function withFileLock<T>(
  ports: Ports,
  path: string,
  action: (lock: FileLock) => Promise<T>,
  { waitMs = WAIT_MS, signal }: { readonly waitMs?: number; readonly signal?: AbortSignal } = {},
): Promise<T> {
  const lock = await acquireLock(ports, path, { waitMs, signal }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw cause instanceof HostError ? cause : unlockable(path, cause);
  });
  try {
    return await action(lock);
  } finally {
    await lock.release();
  }
}

/**
 * The file that the holder of a lock prepares before it renames it into place. A process that takes the lock over deletes
 * it after its claim and before it reads anything. So a former holder that resumes has either renamed it before that, and
 * the new holder reads the result, or its rename fails.
 */
export function temporaryFile({ path, mark }: Pick<FileLock, "path" | "mark">): string {
  return `${path}.${mark}.tmp`;
}

/** Resolves once the lock is held under this mark. A process that dies on the way leaves lines in the lock file and nothing else. */
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
  let lookedAt = elapsed(clock);
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
    const stepMs = Math.min(Math.max(now - lookedAt, 0), LONGEST_STEP_MS);
    lookedAt = now;
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
 * How long a lock must stay unchanged before it is taken over. A process id means something only on the same host, boot
 * and PID namespace; for any other holder its heartbeat alone decides, as this process sees it, because the clocks of two
 * hosts differ. A lock without a holder was never finished: its writer died, or is about to write its claim.
 */
function takeoverDelay(holder: Claim | undefined, processes: Processes): number {
  if (holder === undefined || abandoned.has(holder.mark)) return GRACE_MS;
  const { pid, place } = holder;
  const isAlive = processes.isAlive(pid);
  // Earlier versions have no heartbeat. Of those, a process with our own id is another one or belongs to another namespace.
  if (place === undefined) return isAlive && pid !== processes.ownPid ? Number.POSITIVE_INFINITY : STALE_MS;
  return place === processes.place && !isAlive ? GRACE_MS : STALE_MS;
}

/** Adds an empty line to the lock file now and then: readers skip it, but see that the file changes. Returns a function that stops it. */
function startHeartbeat(
  { files, clock }: Ports,
  path: string,
  isHeld: () => Promise<boolean>,
): () => Promise<void> {
  let isOver = false;
  let beating: Promise<void> = Promise.resolve();
  let stopTimer = (): void => {};
  const beat = async (): Promise<void> => {
    try {
      if (!(await isHeld())) isOver = true;
      if (!isOver) await files.append(path, "\n", 0o600);
    } catch {
      /* the next one may succeed */
    }
    if (!isOver) schedule();
  };
  const schedule = (): void => {
    const run = (): void => {
      if (!isOver) beating = beat();
    };
    stopTimer = clock.after(HEARTBEAT_MS, run, { background: true });
  };
  schedule();
  return () => {
    isOver = true;
    stopTimer();
    return beating; // a line added after the lock file was removed would create it again
  };
}

/** Does nothing if the lock file exists. */
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
    await discard(files, path, mark); // no Plugboard makes a lock that is a link
  }
}

/** The lock's text. A file that is too large to be a lock is removed. */
async function readClaims(files: Files, path: string, mark: string): Promise<string | undefined> {
  try {
    return await readText(files, path);
  } catch (error) {
    if (codeOf(error) !== "EFBIG") throw error;
    await discard(files, path, mark);
    return undefined;
  }
}

/** Is there a link to nothing in place of the lock file? It can neither be read nor created. */
async function isDangling(files: Files, path: string): Promise<boolean> {
  return (await files.realPath(path)) !== join(await files.realPath(dirname(path)), basename(path));
}

/** Removes what is in the place of the lock file but is not a lock. Renamed first, so that of two processes only one removes it. */
async function discard(files: Files, path: string, mark: string): Promise<void> {
  const aside = temporaryFile({ path, mark });
  try {
    await files.rename(path, aside);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  await files.remove(aside);
}

async function holders(files: Files, path: string): Promise<Claim[]> {
  return holdersIn((await readText(files, path)) ?? "");
}

async function readText(files: Files, path: string): Promise<string | undefined> {
  const bytes = await files.read(path, LARGEST_LOCK);
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

export function lost(path: string): HostError {
  return new HostError(
    "STATE_LOCKED",
    `Another process took over ${path} while this one was suspended, so nothing was written.`,
    { hint: "Try again." },
  );
}
