import { type Clock, elapsed } from "../platform/index.ts";
import type { LaunchKey } from "./stores.ts";

/** How long a read may take. */
const READ_MS = 1_000;
/** How long an entry is not read again after a read that took too long, unless that read ends. */
const PAUSE_MS = 10_000;

interface LaunchReads {
  get(key: LaunchKey): Promise<string | Uint8Array | undefined>;
}

/** Limits the time of a store's reads. After a read that exceeds it, further reads of the same entry fail immediately for a while. */
export function limitReads<Store extends LaunchReads>(store: Store, clock: Clock): Store {
  /** When each entry may be read again. */
  const overdue = new Map<string, number>();
  const get = (key: LaunchKey): Promise<string | Uint8Array | undefined> => {
    const id = `${key.principal}\0${key.fingerprint}`;
    const late = (): Error => new Error(`it did not respond within ${READ_MS / 1_000} s`);
    if (elapsed(clock) < (overdue.get(id) ?? 0)) return Promise.reject(late());
    return new Promise((resolve, reject) => {
      const stopTimer = clock.after(READ_MS, () => {
        overdue.set(id, elapsed(clock) + PAUSE_MS);
        reject(late());
      });
      const end = (): void => {
        stopTimer();
        overdue.delete(id);
      };
      const reading = (async () => store.get(key))(); // it may throw synchronously
      reading.finally(end).then(resolve, reject);
    });
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === "get") return get;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
