/** Finds what a program left running on purpose: a daemon leaves the group it was started in, but keeps its environment. */
import { readdirSync, readFileSync } from "node:fs";
import { sep } from "node:path";

/** Ends every process whose HOME is this folder or in it; gives how many there were. Linux only: elsewhere it finds none. */
export function endProcessesOf(folder) {
  if (process.platform !== "linux") return 0;
  const left = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isWithin(homeOf(name), folder));
  for (const id of left) end(Number(id));
  return left.length;
}

function isWithin(home, folder) {
  return home === folder || home?.startsWith(folder + sep) === true;
}

function homeOf(id) {
  try {
    const variables = readFileSync(`/proc/${id}/environ`, "utf8").split("\0");
    return variables.find((variable) => variable.startsWith("HOME="))?.slice("HOME=".length);
  } catch {
    return undefined; // it ended in the meantime, or is not ours to look at
  }
}

function end(id) {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    return; // it ended in the meantime
  }
}
