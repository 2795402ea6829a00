import { messageOf } from "../model/index.ts";
import type { Clock, Log } from "../platform/index.ts";

/** Writes start when no new write was added for this time. */
const QUIET_MS = 150;
/** Writes start after this time at the latest. */
const LONGEST_MS = 1_000;
/** Limits parallel writes: with a thousand servers, writes must not block other work or open thousands of files. */
const AT_ONCE = 16;

/**
 * Writes that run in the background. They are delayed until servers have started, because startup time matters most.
 * Closing the host waits for them. If the program is killed before that, they are lost.
 */
export interface DeferredWrites {
  /** Adds a write. It replaces a write with the same key that has not started. The key also appears in the log. */
  put(key: string, write: () => Promise<void>): void;
  /** Cancels a write that has not started. Resolves when no write with this key is running. */
  drop(key: string): Promise<void>;
  /** Starts all writes immediately. Resolves when they are done. */
  done(): Promise<void>;
}

/** Creates a queue of deferred writes. */
export function createDeferredWrites({
  clock,
  log,
}: {
  readonly clock: Clock;
  readonly log: Log;
}): DeferredWrites {
  const pending = new Map<string, () => Promise<void>>();
  const due = new Map<string, () => Promise<void>>();
  const running = new Map<string, Promise<void>>();
  let stopRestTimer: (() => void) | undefined;
  let stopLongestTimer: (() => void) | undefined;

  const run = async (key: string, write: () => Promise<void>): Promise<void> => {
    await running.get(key);
    try {
      await write();
    } catch (error) {
      log.log("warn", "state.unwritable", { what: key, error: messageOf(error) });
    }
  };
  const startDue = (): void => {
    for (const [key, write] of due) {
      if (running.size >= AT_ONCE) return;
      due.delete(key);
      const mine = run(key, write).finally(() => {
        if (running.get(key) === mine) running.delete(key);
        startDue();
      });
      running.set(key, mine);
    }
  };
  const startWrites = (): void => {
    stopRestTimer?.();
    stopLongestTimer?.();
    stopRestTimer = stopLongestTimer = undefined;
    for (const [key, write] of pending) due.set(key, write);
    pending.clear();
    startDue();
  };
  return {
    put(key, write) {
      pending.set(key, write);
      stopRestTimer?.();
      stopRestTimer = clock.after(QUIET_MS, startWrites);
      stopLongestTimer ??= clock.after(LONGEST_MS, startWrites);
    },
    async drop(key) {
      pending.delete(key);
      due.delete(key);
      await running.get(key);
    },
    async done() {
      while (pending.size + due.size + running.size > 0) {
        startWrites();
        await Promise.all(running.values());
      }
    },
  };
}
