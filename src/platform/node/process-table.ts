import { execFile } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { codeOf, sharedRun } from "../../model/index.ts";
import { systemProgram } from "./system-program.ts";

/** Identifies a process: its id can be reused later, but not with the same start time. */
export interface ProcessFacts {
  readonly parent: number;
  readonly start: string;
}

/** A process controls the size of its environment, so no more than this is read. */
export const LONGEST_READ: number = 128 * 1024;

/** The running processes. Throws if they cannot be read, for example if too many files are open. */
export interface ProcessTable {
  /** Returns `undefined` if the process is not running. */
  factsOf(pid: number): ProcessFacts | undefined;
  /** Returns the children in batches, because a process can have thousands of threads that each have children. */
  childrenOf(pid: number): Iterable<readonly number[]>;
}

/** Reads `/proc` on every call. The cost depends only on the requested processes. */
export const procTable: ProcessTable = {
  factsOf(pid) {
    const stat = textUnlessEnded(`/proc/${pid}/stat`);
    // The process name before these fields can contain anything, even ") ".
    const [state, parent, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const start = fields[17];
    if (start === undefined || (state === "Z" && hasEnded(pid))) return undefined;
    return { parent: Number(parent), start };
  },
  // Children are listed by the thread that started them.
  *childrenOf(pid) {
    for (const thread of namesIn(`/proc/${pid}/task`))
      yield textUnlessEnded(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number);
  },
};

/** A process whose first thread has ended looks like a zombie, but other threads may be running. */
function hasEnded(pid: number): boolean {
  return namesIn(`/proc/${pid}/task`).length <= 1;
}

/**
 * The columns to read if there is no `/proc`. The reaper uses the same columns, so that start times can be compared.
 */
export const PS_COLUMNS = "pid=,ppid=,stat=,lstart=";
/** Makes the start times in the output of `ps` independent of the user's locale and time zone. */
export const PS_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC0" };

/**
 * Reads the process table with `ps`. Concurrent callers share one run. Process-wide, because all hosts see the same
 * processes.
 */
export const readPsTable: () => Promise<ProcessTable> = sharedRun(() => {
  const { command, options: own } = systemProgram("ps", "posix");
  const options = { ...own, maxBuffer: 64 * 1024 * 1024, env: { ...own.env, ...PS_ENVIRONMENT } };
  return new Promise<ProcessTable>((resolve, reject) => {
    execFile(command, ["-axo", PS_COLUMNS], options, (error, output) => {
      if (error) reject(error);
      else resolve(parsePs(output));
    });
  });
});

/** Parses the output of `ps`. */
export function parsePs(output: string): ProcessTable {
  const table = new Map<number, ProcessFacts>();
  const children = new Map<number, number[]>();
  for (const line of output.split("\n")) {
    const [pid, parent, state, ...start] = line.trim().split(/\s+/);
    if (start.length !== 5 || state?.startsWith("Z")) continue;
    table.set(Number(pid), { parent: Number(parent), start: start.join("_") });
    const siblings = children.get(Number(parent));
    if (siblings === undefined) children.set(Number(parent), [Number(pid)]);
    else siblings.push(Number(pid));
  }
  return {
    factsOf: (pid) => table.get(pid),
    childrenOf: (pid) => [children.get(pid) ?? []],
  };
}

const UNKNOWN = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

function textUnlessEnded(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    if (UNKNOWN.has(codeOf(error) ?? "")) throw error;
    return "";
  }
}

/** Returns the names in a folder, or none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Returns a function that reads the first 128 KB of a file. A result is valid until the next call, because all calls
 * share one buffer. The result is `undefined` if the process has ended or belongs to another user.
 */
export function createStartReader(): (file: string) => Buffer | undefined {
  const buffer = Buffer.allocUnsafe(LONGEST_READ);
  return (file) => {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(file, "r");
      let length = 0;
      for (let more = -1; more !== 0 && length < LONGEST_READ; length += more)
        more = readSync(descriptor, buffer, length, LONGEST_READ - length, null);
      return buffer.subarray(0, length);
    } catch {
      return undefined;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  };
}

/** Returns the content of a file, or "" if it cannot be read. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return ""; // the process has ended, or belongs to another user
  }
}
