import { readdirSync, readFileSync } from "node:fs";

export interface Straggler {
  readonly pid: number;
  readonly commandLine: string;
}

/** Returns other processes whose environment contains the marker. None without `/proc`. */
export function findStragglers(marker: string): readonly Straggler[] {
  return processIds()
    .filter((pid) => pid !== process.pid && read(pid, "environ").includes(marker))
    .map((pid) => ({ pid, commandLine: read(pid, "cmdline").replaceAll("\0", " ").trim() }))
    .filter(({ commandLine }) => commandLine !== ""); // it ended after its environment was read
}

function processIds(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return []; // not Linux
  }
}

function read(pid: number, file: "environ" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // it has ended, or belongs to another user
  }
}
