import { randomUUID } from "node:crypto";
import { createSerialQueues, HostError } from "../../../model/index.ts";
import { type Clock, delay, elapsed, type Log } from "../../../platform/index.ts";
import type { EntryLock } from "../../../state/index.ts";
import type { Lease, LeaseStore } from "../../cluster-records.ts";

/** Longer than any request that is made in a section. It is renewed before it ends. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** How long a section waits for others. */
const WAIT_MS = 60_000;
const POLL_MS = 25;
const LONGEST_POLL_MS = 250;

/** Runs work for one key in one process at a time. */
export function createExclusiveSections(
  leases: LeaseStore,
  clock: Clock,
  log: Log,
): <T>(key: string, action: (lock: EntryLock) => Promise<T>) => Promise<T> {
  const inThisProcess = createSerialQueues();
  const acquire = async (key: string): Promise<Lease> => {
    const began = elapsed(clock);
    for (let attempt = 0; ; attempt += 1) {
      const lease = await leases.acquire(key, randomUUID(), LEASE_MS);
      if (lease !== undefined) return lease;
      if (elapsed(clock) - began > WAIT_MS)
        throw new HostError("STATE_LOCKED", "Another gateway has used a stored sign-in for too long.");
      const longest = Math.min(LONGEST_POLL_MS, POLL_MS * 2 ** attempt);
      await delay(clock, longest * (0.5 + Math.random() / 2));
    }
  };
  return (key, action) =>
    inThisProcess(key, async () => {
      const lease = await acquire(key);
      let isLost = false;
      let stopTimer = (): void => {};
      const renewLater = (): void => {
        stopTimer = clock.after(RENEW_MS, () => {
          leases.renew(lease, LEASE_MS).then(
            (isHeld) => {
              isLost ||= !isHeld;
              if (isHeld) renewLater();
            },
            renewLater, // the database decides whether the lease has expired in the meantime
          );
        });
      };
      renewLater();
      const lock: EntryLock = {
        async assertHeld() {
          if (!isLost && (await leases.renew(lease, LEASE_MS))) return;
          isLost = true;
          throw new HostError("STATE_LOCKED", "Another gateway has taken over the lock of a stored sign-in.");
        },
      };
      try {
        return await action(lock);
      } finally {
        stopTimer();
        stopTimer = () => {};
        isLost = true;
        await leases.release(lease).catch((error: unknown) => {
          log.log("debug", "store.lease.unreleased", { error: String(error) }); // it expires
        });
      }
    });
}
