/** Signals a process, or a process group if the id is negative. 0 only checks. Returns whether the process exists. */
export function tryKill(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // the process has ended
  }
}

/**
 * Signals the group that a process leads. SIGKILL is also sent to the process itself, which may have left that group.
 */
export function signalWithGroup(pid: number, name: NodeJS.Signals): void {
  if (!tryKill(-pid, name) || name === "SIGKILL") tryKill(pid, name);
}
