import type { UninstallOptions, UninstallPlan, UninstallResult } from "./describe/uninstall.ts";
import type { Workspace } from "./workspace.ts";

/** Loaded when it is needed, because most runs never uninstall. */
export async function planUninstall(workspace: Workspace, options: UninstallOptions): Promise<UninstallPlan> {
  return (await import("./describe/uninstall.ts")).planUninstall(workspace, options);
}

export async function uninstall(workspace: Workspace, plan: UninstallPlan): Promise<UninstallResult> {
  return (await import("./describe/uninstall.ts")).uninstall(workspace, plan);
}
