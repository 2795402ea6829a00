import { type ChildProcess, spawn } from "node:child_process";
import { codeOf } from "../../model/index.ts";
import type { ProcessEnd, Processes, RunningProcess, SpawnRequest } from "../index.ts";

const isWindows = process.platform === "win32";
const running = new Set<ChildProcess>();

export const nodeProcesses: Processes = {
  ownPid: process.pid,
  spawn: spawnInGroup,
  isAlive(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return codeOf(error) === "EPERM";
    }
  },
};

function spawnInGroup({ command, args, cwd, env }: SpawnRequest): RunningProcess {
  const child = spawn(command, args, {
    cwd,
    env,
    detached: !isWindows,
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (running.size === 0) process.on("exit", killRunning);
  running.add(child);

  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once("error", (failure) => {
      if (child.pid === undefined) resolve({ code: undefined, signal: undefined, failure });
    });
    child.once("exit", (code, signal) => {
      const end = { code: code ?? undefined, signal: signal ?? undefined, failure: undefined };
      // Its last output may still be on the way; a grandchild that keeps the pipes open must not hold up the news.
      child.once("close", () => resolve(end));
      // After a busy time the timer comes before the output that is already there; one more turn lets it in.
      setTimeout(() => setImmediate(resolve, end), 250).unref();
    });
  });
  void ended.then(() => {
    running.delete(child);
    if (running.size === 0) process.off("exit", killRunning);
  });
  // A write after the child closed its input is reported by `write`; the stream's own event would end the process.
  child.stdin.on("error", () => {});

  return {
    pid: child.pid,
    ended,
    write: (text) =>
      new Promise((resolve, reject) => {
        child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    endInput: () => child.stdin.end(),
    onOutput: (listener) => child.stdout.on("data", listener),
    onErrorOutput: (listener) => child.stderr.on("data", listener),
    signal: (name) => void signalGroup(child, name),
    groupIsAlive: () => signalGroup(child, 0),
  };
}

/** Answers whether there was anything to signal. */
function signalGroup(child: ChildProcess, name: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return isWindows ? child.kill(name) : process.kill(-child.pid, name);
  } catch {
    return false; // the group is gone
  }
}

/** The last resort when the program ends without closing its host. */
function killRunning(): void {
  for (const child of running) signalGroup(child, "SIGKILL");
}
