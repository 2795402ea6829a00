import { codeOf, HostError } from "../model/index.ts";
import { delay, type Ports } from "../platform/index.ts";

const WAIT_MS = 5_000;
const POLL_MS = 25;

type Update = (current: string | undefined) => string | undefined;

/**
 * Replaces a file's text: locked against other Plugboard processes, written beside it and renamed, so that a reader
 * sees the old text or the new one and a crash loses neither. Links are followed. Folders are made when missing.
 * The update gets the text as it is under the lock; answering `undefined` leaves the file alone.
 */
export async function updateFile(ports: Ports, path: string, update: Update): Promise<void> {
  const { files, processes } = ports;
  await files.makeFolder(path.replace(/[\\/][^\\/]*$/, ""), 0o700);
  const target = await files.realPath(path);
  const release = await lock(ports, `${target}.lock`);
  try {
    const bytes = await files.read(target);
    const next = update(bytes === undefined ? undefined : new TextDecoder().decode(bytes));
    if (next === undefined) return;
    const temporary = `${target}.${processes.ownPid}.tmp`;
    await files.remove(temporary);
    await files.create(temporary, next, (await files.mode(target)) ?? 0o600);
    await files.rename(temporary, target);
  } finally {
    await release();
  }
}

async function lock({ files, processes, clock }: Ports, path: string): Promise<() => Promise<void>> {
  const deadline = clock.now() + WAIT_MS;
  for (;;) {
    try {
      await files.create(path, String(processes.ownPid), 0o600);
      return () => files.remove(path);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const holder = Number(new TextDecoder().decode((await files.read(path)) ?? new Uint8Array()));
    // A holder that died left its lock behind; an empty lock file is one that is just being written.
    if (holder > 0 && !processes.isAlive(holder)) await files.remove(path);
    else if (clock.now() > deadline) throw lockedBy(path, holder);
    else await delay(clock, POLL_MS);
  }
}

function lockedBy(path: string, holder: number): HostError {
  return new HostError("STATE_LOCKED", `Another process (${holder || "unknown"}) keeps ${path} locked.`, {
    hint: "Wait for it to end, or delete the lock file if no other Plugboard is running.",
  });
}
