/** The temporary folder of a run. The benchmark and its programs write only inside it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcessesOf } from "./left-running.mjs";

let root;

/** Stops processes whose home is in the temporary folder, and removes the folder. */
export function removeScratch() {
  if (root === undefined) return;
  endProcessesOf(root);
  rmSync(root, { recursive: true, force: true });
  root = undefined;
}

/** Creates an empty HOME and its environment, without anything of the user who runs the benchmark. */
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

/** Creates an empty folder inside the run's temporary folder. */
export function scratchFolder(name) {
  root ??= mkdtempSync(join(realpathSync(tmpdir()), "plugboard-bench-"));
  return mkdtempSync(join(root, `${name}-`));
}
