import type { Files, Ports } from "../../src/platform/index.ts";
import { createMemoryFiles } from "../../src/testing/index.ts";

export interface FakePorts extends Ports {
  /** Everything that was logged: level and event. */
  readonly logged: string[];
}

/** Ports of a separate process on a disk in memory. Waiting takes no time, but moves the clock. */
export function createFakePorts(files: Files = createMemoryFiles(), ownPid = 1000): FakePorts {
  const logged: string[] = [];
  let now = 0;
  return {
    files,
    processes: {
      ownPid,
      place: "here",
      isAlive: (pid) => pid >= 1000,
      spawn: () => {
        throw new Error("no process is started here");
      },
    },
    clock: {
      now: () => now,
      after(ms, callback) {
        const timer = setImmediate(() => {
          now += ms;
          callback();
        });
        return () => clearImmediate(timer);
      },
    },
    http: { request: () => Promise.reject(new Error("there is no network here")), close: () => {} },
    keychain: {
      read: () => Promise.reject(new Error("there is no keychain here")),
      write: () => Promise.reject(new Error("there is no keychain here")),
      remove: () => Promise.reject(new Error("there is no keychain here")),
    },
    browser: { open: async () => false },
    loopback: { listen: () => Promise.reject(new Error("nothing listens here")) },
    log: { log: (level, event) => void logged.push(`${level} ${event}`) },
    logged,
  };
}
