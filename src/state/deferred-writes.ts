import { messageOf } from "../model/index.ts";
import type { Clock, Log } from "../platform/index.ts";

/** Writes begin when none was asked for during this time, */
const REST_MS = 150;
/** and after this one at the latest. */
const LONGEST_MS = 1_000;
/** What a thousand servers bring must neither hold up the rest nor need thousands of open files. */
const AT_ONCE = 16;

/**
 * Writes that nobody waits for. While servers start every moment counts, and what is remembered of them can wait until
 * they are there; whoever closes waits for it. A program that is killed in between has not seen them.
 */
export interface DeferredWrites {
  /** The key says what it is, to the log as well. Of two with the same key, the last is done if none was begun. */
  put(key: string, write: () => Promise<void>): void;
  /** What has the key and was not begun is not done; resolves when none is under way. */
  drop(key: string): Promise<void>;
  /** Begins without waiting any longer, and resolves when everything is done. */
  done(): Promise<void>;
}

export function createDeferredWrites({
  clock,
  log,
}: {
  readonly clock: Clock;
  readonly log: Log;
}): DeferredWrites {
  const waiting = new Map<string, () => Promise<void>>();
  const due = new Map<string, () => Promise<void>>();
  const running = new Map<string, Promise<void>>();
  let whenCalm: (() => void) | undefined;
  let atLast: (() => void) | undefined;

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
  const begin = (): void => {
    whenCalm?.();
    atLast?.();
    whenCalm = atLast = undefined;
    for (const [key, write] of waiting) due.set(key, write);
    waiting.clear();
    startDue();
  };
  return {
    put(key, write) {
      waiting.set(key, write);
      whenCalm?.();
      whenCalm = clock.after(REST_MS, begin);
      atLast ??= clock.after(LONGEST_MS, begin);
    },
    async drop(key) {
      waiting.delete(key);
      due.delete(key);
      await running.get(key);
    },
    async done() {
      while (waiting.size + due.size + running.size > 0) {
        begin();
        await Promise.all(running.values());
      }
    },
  };
}
