import type { Environment, Log, Ports } from "../index.ts";
import { nodeFiles } from "./files.ts";
import { nodeProcesses } from "./processes.ts";

const silent: Log = { log: () => {} };

/** The real world. */
export function nodePorts(log: Log = silent): Ports {
  return {
    files: nodeFiles,
    processes: nodeProcesses,
    clock: {
      now: () => Date.now(),
      after(ms, callback) {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
    },
    fetch: (input, init) => globalThis.fetch(input, init),
    log,
  };
}

/** The machine and the person this process runs for. */
export function nodeEnvironment(): Environment {
  const variables = process.env;
  return {
    platform: process.platform,
    home: variables["HOME"] ?? variables["USERPROFILE"] ?? process.cwd(),
    cwd: process.cwd(),
    variables,
  };
}
