import { dirname } from "node:path";
import { codeOf, HostError, messageOf } from "../model/index.ts";
import type { Files, Ports } from "../platform/index.ts";
import { decodeUtf8 } from "./decode-text.ts";
import { acquireLock, type FileLock, lockLost, temporaryFile } from "./file-lock.ts";

/**
 * How long the lock of an update may stay unchanged before it is taken over, no matter who holds it. An update takes
 * milliseconds, and a repository can contain a lock file with the id of a running process. A holder that was suspended
 * for this long does not write.
 */
const TAKEOVER_MS = 5_000;

type HeldLock = Pick<FileLock, "assertHeld">;
type Update = (current: string | undefined) => string | undefined;

/** A file, and how to change its text. */
export interface FileUpdate {
  readonly path: string;
  /** Called with the current text while the file is locked. Return `undefined` to leave the file unchanged. */
  readonly update: Update;
}

/**
 * Replaces a file's text atomically while it is locked against other Plugboard processes. The new text is written to a
 * temporary file, which is then renamed: readers see the old text or the new text, and a crash loses neither. Follows
 * links and creates missing folders. `update` gets the current text; if it returns `undefined`, the file is not
 * changed. Writes nothing if another process has taken over the lock, or `outer`, a lock that the caller holds.
 */
export function updateFile(ports: Ports, path: string, update: Update, outer?: HeldLock): Promise<void> {
  return updateFiles(ports, [{ path, update }], outer);
}

/**
 * Replaces several files, in the given order. All temporary files are written before the first file is replaced, so a
 * full disk changes none. Pass a file that gets an entry before the file that loses it: if the disk then fails for good,
 * the entry is in both.
 */
export async function updateFiles(
  ports: Ports,
  updates: readonly FileUpdate[],
  outer?: HeldLock,
): Promise<void> {
  const targets = new Map<string, Target>();
  for (const { path, update } of updates) {
    await withPathInError(path, async () => {
      await ports.files.makeFolder(dirname(path), 0o700);
      const real = await ports.files.realPath(path);
      const target = targets.get(real) ?? { path, real, order: targets.size, updates: [] };
      targets.set(real, { ...target, updates: [...target.updates, update] });
    });
  }
  // All processes lock in the same order, so that two processes never wait for each other.
  await updateLocked(
    ports,
    [...targets.values()].sort((left, right) => (left.real < right.real ? -1 : 1)),
    [],
    outer,
  );
}

interface Target {
  /** The path that the caller passed, for messages. */
  readonly path: string;
  /** The path with all links resolved. */
  readonly real: string;
  /** Its position among the files to replace. */
  readonly order: number;
  /** More than one if several paths refer to the same file. */
  readonly updates: readonly Update[];
}

/** A file whose new text is already written to a temporary file. */
interface Prepared extends Pick<Target, "path" | "real" | "order"> {
  readonly temporary: string;
  readonly before: string | undefined;
  readonly lock: FileLock;
}

/** Locks and prepares one file after the other, then replaces all of them. */
async function updateLocked(
  ports: Ports,
  targets: readonly Target[],
  ready: readonly Prepared[],
  outer: HeldLock | undefined,
): Promise<void> {
  const [target, ...others] = targets;
  if (target === undefined) {
    const inOrder = [...ready].sort((left, right) => left.order - right.order);
    return replaceAll(ports.files, inOrder, outer);
  }
  const { path, real } = target;
  const lock = await withPathInError(path, () =>
    acquireLock(ports, `${real}.lock`, { takeoverMs: TAKEOVER_MS }),
  );
  try {
    const prepared = await withPathInError(path, () => prepare(ports.files, target, lock));
    try {
      await updateLocked(ports, others, prepared === undefined ? ready : [...ready, prepared], outer);
    } catch (error) {
      if (prepared !== undefined) await ports.files.remove(prepared.temporary).catch(() => {}); // report the first error
      throw error;
    }
  } finally {
    await lock.release();
  }
}

async function prepare(
  files: Files,
  { path, real, order, updates }: Target,
  lock: FileLock,
): Promise<Prepared | undefined> {
  const bytes = await files.read(real);
  const before = bytes === undefined ? undefined : decodeUtf8(bytes, real);
  let next: string | undefined;
  for (const update of updates) next = update(next ?? before) ?? next;
  if (next === undefined) return undefined;
  const temporary = temporaryFile(lock);
  try {
    await files.create(temporary, next, (await files.mode(real)) ?? 0o600);
  } catch (error) {
    await files.remove(temporary).catch(() => {});
    throw error;
  }
  return { path, real, order, temporary, before, lock };
}

/**
 * Replaces the files. Checks all locks before the first file, and the lock of each file again right before it is
 * replaced.
 */
async function replaceAll(
  files: Files,
  prepared: readonly Prepared[],
  outer: HeldLock | undefined,
): Promise<void> {
  if (prepared.length > 1)
    for (const { path, lock } of prepared) await withPathInError(path, () => lock.assertHeld());
  const done: Prepared[] = [];
  for (const file of prepared) {
    try {
      await withPathInError(file.path, () => replaceOne(files, file, outer));
    } catch (error) {
      for (const { real, before } of done) await restoreContent(files, real, before).catch(() => {});
      throw error;
    }
    done.push(file);
  }
}

async function replaceOne(
  files: Files,
  { temporary, real, lock }: Prepared,
  outer: HeldLock | undefined,
): Promise<void> {
  try {
    await outer?.assertHeld();
    await lock.assertHeld();
    await files.rename(temporary, real);
  } catch (error) {
    // The process that took over the lock has deleted the temporary file.
    throw codeOf(error) === "ENOENT" && !(await isHeld(lock)) ? lockLost(lock.path) : error;
  }
}

function isHeld(lock: FileLock): Promise<boolean> {
  return lock.assertHeld().then(
    () => true,
    (error: unknown) => !(error instanceof HostError),
  );
}

async function restoreContent(files: Files, path: string, before: string | undefined): Promise<void> {
  if (before === undefined) await files.remove(path);
  else await files.replace(path, before, (await files.mode(path)) ?? 0o600);
}

/** Adds the path that the caller passed to system errors. */
async function withPathInError<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw codeOf(error) === undefined || error instanceof HostError ? error : unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): HostError {
  return new HostError("CONFIG_UNWRITABLE", `${path} cannot be written: ${messageOf(cause)}`, {
    hint: "Check the owner and mode of the file and its folder, and the free disk space.",
    cause,
  });
}
