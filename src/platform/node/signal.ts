/** Signals a process, or a group if the id is negative; 0 only looks. Returns whether there was anything to signal. */
export function tryKill(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // it is gone
  }
}

/** Signals the group that a process started. SIGKILL also goes to the process itself, which may have left that group. */
export function signalWithGroup(pid: number, name: NodeJS.Signals): void {
  if (!tryKill(-pid, name) || name === "SIGKILL") tryKill(pid, name);
}
