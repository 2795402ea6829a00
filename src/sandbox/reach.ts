import { SYSTEM_FILES, SYSTEM_FOLDERS } from "./bwrap-arguments.ts";
import type { SandboxPlan } from "./sandbox-plan.ts";

/** Returns whether a sandbox shows the file or folder at a path. The path has no links. */
export function canRead(plan: SandboxPlan, path: string): boolean {
  return isIn(path, [
    ...SYSTEM_FOLDERS,
    ...SYSTEM_FILES,
    ...plan.read,
    ...plan.project,
    plan.data,
    ...plan.write,
  ]);
}

/** Returns whether a sandbox lets a server change the file or folder at a path. The path has no links. */
export function canWrite(plan: SandboxPlan, path: string): boolean {
  return isIn(path, [plan.data, ...plan.write]) || (isIn(path, plan.project) && !isIn(path, plan.protected));
}

function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) => path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`),
  );
}
