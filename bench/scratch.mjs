/** The temporary folder of a run. Everything the benchmark and the programs in it write is below it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcessesOf } from "./left-running.mjs";

let root;

/** Ends what still has its home in the run's temporary folder, and removes the folder. */
export function removeScratch() {
  if (root === undefined) return;
  endProcessesOf(root);
  rmSync(root, { recursive: true, force: true });
  root = undefined;
}

/** An empty HOME and the environment that goes with it: nothing of the person who runs the benchmark is in it. */
export function emptyHome() {
  const folder = scratchFolder("home");
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const env = {
    HOME: folder,
    USERPROFILE: folder,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    NO_COLOR: "1",
  };
  for (const name of ["PATH", "Path", "SystemRoot"]) {
    if (process.env[name] !== undefined) env[name] = process.env[name];
  }
  return { folder, env, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A new, empty folder inside the run's temporary folder. */
export function scratchFolder(name) {
  root ??= mkdtempSync(join(realpathSync(tmpdir()), "plugboard-bench-"));
  return mkdtempSync(join(root, `${name}-`));
}
