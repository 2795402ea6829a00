/** Finds daemons that a program left running: they leave the process group, but keep the environment. */
import { readdirSync, readFileSync } from "node:fs";
import { sep } from "node:path";

/** Stops every process whose HOME is this folder or inside it, and returns their number. Works on Linux only. */
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
    return undefined; // it has exited, or belongs to another user
  }
}

function end(id) {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    return; // it has exited
  }
}
