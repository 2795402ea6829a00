/** The temporary folder beside `dist/` that a build writes to. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const NAME = /^dist\.next-(\d+)$/;

/** Creates the folder of this process, and removes those of interrupted builds. */
export function makeNextFolder(root) {
  for (const name of readdirSync(root)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) rmSync(join(root, name), { recursive: true, force: true });
  }
  const folder = join(root, `dist.next-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
