import { setTimeout as delay } from "node:timers/promises";
import { findStragglers, type Straggler } from "./find-stragglers.ts";

const POLL_MS = 20;
/** A reaper whose program was killed keeps searching for servers. On a busy machine each search takes seconds. */
const REAPER_MS = 20_000;

/** Waits for the marked processes to end, kills those that do not end in time, and returns their names. */
export async function reapStragglers(marker: string, graceMs: number): Promise<readonly Straggler[]> {
  const deadline = performance.now() + graceMs;
  let stragglers = findStragglers(marker);
  const graceLeft = (): number => {
    const isReaping = stragglers.some(({ commandLine }) => commandLine.endsWith(" plugboard-reaper"));
    return deadline + (isReaping ? REAPER_MS : 0) - performance.now();
  };
  while (stragglers.length > 0 && graceLeft() > 0) {
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
