import { setTimeout as delay } from "node:timers/promises";
import { findStragglers, type Straggler } from "./find-stragglers.ts";

const POLL_MS = 20;

/** Waits for the marked processes to end, kills those that do not in time, and names them. */
export async function reapStragglers(marker: string, graceMs: number): Promise<readonly Straggler[]> {
  const deadline = performance.now() + graceMs;
  let stragglers = findStragglers(marker);
  while (stragglers.length > 0 && performance.now() < deadline) {
    await delay(POLL_MS);
    stragglers = findStragglers(marker);
  }
  for (const { pid } of stragglers) kill(pid);
  return stragglers;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    /* it ended by itself after all */
  }
}
