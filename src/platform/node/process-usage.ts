import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import type { ProcessUsage } from "../index.ts";
import { systemProgram } from "./system-program.ts";

/** Linux counts processor time in hundredths of a second for programs, whatever its own clock is. */
const MS_PER_TICK = 10;
const NONE: ProcessUsage = { processes: 0, memoryBytes: 0, cpuMs: 0 };

/**
 * Returns what these processes use together, without those that have ended. `undefined` on systems that do not report it. `exact` counts
 * shared memory in part, which takes longer.
 */
export async function usageOf(
  pids: readonly number[],
  platform: string,
  exact: boolean,
): Promise<ProcessUsage | undefined> {
  if (platform === "win32") return undefined;
  const all =
    platform === "linux"
      ? await Promise.all(pids.map((pid) => usageFromProc(pid, exact)))
      : await usageFromPs(pids);
  return all.reduce<ProcessUsage>((sum, one) => (one === undefined ? sum : add(sum, one)), NONE);
}

/** Returns the memory that this process may use: that of the machine, or of its container. */
export function availableMemory(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  const total = totalmem();
  return limit > 0 && limit < total ? limit : total;
}

function add(sum: ProcessUsage, one: ProcessUsage): ProcessUsage {
  return {
    processes: sum.processes + one.processes,
    memoryBytes: sum.memoryBytes + one.memoryBytes,
    cpuMs: sum.cpuMs + one.cpuMs,
  };
}

async function usageFromProc(pid: number, exact: boolean): Promise<ProcessUsage | undefined> {
  const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, "latin1").catch(() => "");
  const [stat, status, shares] = await Promise.all([
    read("stat"),
    read("status"),
    exact ? read("smaps_rollup") : "",
  ]);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (!Number.isFinite(ticks)) return undefined;
  const kilobytes = numberIn(shares, /^Pss:\s+(\d+) kB/m) ?? numberIn(status, /^VmRSS:\s+(\d+) kB/m) ?? 0;
  return { processes: 1, memoryBytes: kilobytes * 1024, cpuMs: ticks * MS_PER_TICK };
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function usageFromPs(pids: readonly number[]): Promise<readonly ProcessUsage[]> {
  if (pids.length === 0) return Promise.resolve([]);
  const { command, options } = systemProgram("ps", "posix");
  const env = { ...options.env, LC_ALL: "C" };
  return new Promise((resolve) => {
    // It exits with 1 if one of the processes has ended, and still prints the others.
    execFile(command, ["-o", "rss=,time=", "-p", pids.join(",")], { ...options, env }, (_error, output) =>
      resolve(parseUsage(output)),
    );
  });
}

/** Parses lines such as `1234 0:01.23`, with kilobytes and the processor time. */
export function parseUsage(output: string): readonly ProcessUsage[] {
  return output.split("\n").flatMap((line) => {
    const [, kilobytes, days, time = ""] = /^\s*(\d+)\s+(?:(\d+)-)?([\d:.]+)\s*$/.exec(line) ?? [];
    if (kilobytes === undefined) return [];
    const seconds = time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
    const cpuMs = Math.round((Number(days ?? 0) * 86_400 + seconds) * 1000);
    return [{ processes: 1, memoryBytes: Number(kilobytes) * 1024, cpuMs }];
  });
}
