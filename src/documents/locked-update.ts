import { dirname } from "node:path";
import { codeOf, HostError, messageOf } from "../model/index.ts";
import type { Files, Ports } from "../platform/index.ts";
import { acquireLock, temporaryFile } from "./file-lock.ts";

type Update = (current: string | undefined) => string | undefined;

/**
 * Replaces a file's text: locked against other Plugboard processes, written beside it and renamed, so that a reader
 * sees the old text or the new one and a crash loses neither. Links are followed. Folders are made when missing.
 * The update gets the text as it is under the lock; answering `undefined` leaves the file alone.
 */
export async function updateFile(ports: Ports, path: string, update: Update): Promise<void> {
  try {
    await ports.files.makeFolder(dirname(path), 0o700);
    await updateLocked(ports, await ports.files.realPath(path), update);
  } catch (error) {
    throw codeOf(error) === undefined || error instanceof HostError ? error : unwritable(path, error);
  }
}

async function updateLocked(ports: Ports, target: string, update: Update): Promise<void> {
  const { files } = ports;
  const lock = await acquireLock(ports, `${target}.lock`);
  try {
    const bytes = await files.read(target);
    const next = update(bytes === undefined ? undefined : decode(bytes, target));
    if (next !== undefined) await replace(files, target, next, temporaryFile(lock));
  } finally {
    await lock.release();
  }
}

async function replace(files: Files, target: string, text: string, temporary: string): Promise<void> {
  try {
    await files.create(temporary, text, (await files.mode(target)) ?? 0o600);
    await files.rename(temporary, target);
  } catch (error) {
    await files.remove(temporary).catch(() => {}); // why it was not written says more
    throw error;
  }
}

/** Text that cannot be read without loss must not be written back. */
function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new HostError("CONFIG_INVALID", `${file} is not UTF-8 text, so it was left as it is.`, {
      hint: "Save it as UTF-8, then try again.",
      cause,
    });
  }
}

function unwritable(path: string, cause: unknown): HostError {
  return new HostError("CONFIG_UNWRITABLE", `${path} cannot be written: ${messageOf(cause)}`, {
    hint: "Check the owner and mode of the file and its folder, and the space on the disk.",
    cause,
  });
}
