import { cpus } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

const lookMs = 100;
const patienceMs = 2000;
const busyShare = 0.2;

/** Waits briefly until other work on this machine ends. Returns whether it did. Never fails. */
export async function waitForQuiet() {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookMs) {
    const before = readTimes();
    await delay(lookMs);
    const after = readTimes();
    const total = after.total - before.total;
    if (total > 0 && (after.busy - before.busy) / total < busyShare) return true;
  }
  return false;
}

function readTimes() {
  const times = cpus().map((cpu) => cpu.times);
  const busy = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0);
  return { busy, total: times.reduce((sum, { idle }) => sum + idle, busy) };
}
