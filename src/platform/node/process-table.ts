import { execFile } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { codeOf, sharedRun } from "../../model/index.ts";
import { ownProgram } from "./own-program.ts";

/** What identifies a process: its id may be given to another one later, but not with the same start time. */
export interface ProcessFacts {
  readonly parent: number;
  readonly start: string;
}

/** A process chooses how large its environment is; no more of it is read. */
export const LONGEST_READ: number = 128 * 1024;

/** The running processes. Throws if the system cannot be asked, such as when no more files can be opened. */
export interface ProcessTable {
  /** Undefined if no such process runs. */
  factsOf(pid: number): ProcessFacts | undefined;
  /** In parts: a process may have thousands of threads, and each has children of its own. */
  childrenOf(pid: number): Iterable<readonly number[]>;
}

/** Reads `/proc` at the moment it is asked. Only the processes that are asked for cost anything. */
export const procTable: ProcessTable = {
  factsOf(pid) {
    const stat = textUnlessEnded(`/proc/${pid}/stat`);
    // The name in front may hold anything, also ") ".
    const [state, parent, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const start = fields[17];
    if (start === undefined || (state === "Z" && hasEnded(pid))) return undefined;
    return { parent: Number(parent), start };
  },
  // Each thread has the children that it started.
  *childrenOf(pid) {
    for (const thread of namesIn(`/proc/${pid}/task`))
      yield textUnlessEnded(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number);
  },
};

/** A process whose first thread has ended looks like one that nobody has collected, but others may be running. */
function hasEnded(pid: number): boolean {
  return namesIn(`/proc/${pid}/task`).length <= 1;
}

/** Where there is no `/proc`. The same words are used by the reaper, so that start times can be compared. */
export const PS_COLUMNS = "pid=,ppid=,stat=,lstart=";
export const PS_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC0" };

/** Concurrent callers share one run of `ps`. Process-wide, because every host sees the same processes. */
export const readPsTable: () => Promise<ProcessTable> = sharedRun(() => {
  const { command, options: own } = ownProgram("ps", "posix");
  const options = { ...own, maxBuffer: 64 * 1024 * 1024, env: { ...own.env, ...PS_ENVIRONMENT } };
  return new Promise<ProcessTable>((resolve, reject) => {
    execFile(command, ["-axo", PS_COLUMNS], options, (error, output) => {
      if (error) reject(error);
      else resolve(parsePs(output));
    });
  });
});

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

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Returns a function that reads the first 128 KB of a file. Each result is valid until the next call, because one buffer serves
 * all of them. The result is `undefined` if the process ended or belongs to another user.
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

export function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return ""; // the process ended, or belongs to another user
  }
}
