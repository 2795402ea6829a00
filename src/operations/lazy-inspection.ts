import type { Problem, ServerEntry } from "../model/index.ts";
import type { LaunchInspection } from "./approvals/inspect-launch.ts";
import type { BrokenPackage } from "./describe/check-packages.ts";
import type { Finding } from "./describe/diagnose.ts";
import type { Workspace } from "./workspace.ts";

/** Looking at what a launch would do is rare: what it takes is loaded when it is asked for. */
export async function inspectLaunch(workspace: Workspace, server: string): Promise<LaunchInspection> {
  const { inspectLaunch: inspect } = await import("./approvals/inspect-launch.ts");
  return inspect(workspace, server);
}

export async function inspectEntry(workspace: Workspace, entry: ServerEntry): Promise<LaunchInspection> {
  const { inspectEntry: inspect } = await import("./approvals/inspect-launch.ts");
  return inspect(workspace, entry);
}

export async function checkPrograms(workspace: Workspace, server?: string): Promise<readonly Finding[]> {
  const { checkPrograms: check } = await import("./describe/check-programs.ts");
  return check(workspace, server);
}

export async function checkTools(workspace: Workspace, server?: string): Promise<readonly Problem[]> {
  const { checkTools: check } = await import("./describe/check-tools.ts");
  return check(workspace, server);
}

export async function checkPackages(
  workspace: Workspace,
  server?: string,
): Promise<readonly BrokenPackage[]> {
  const { checkPackages: check } = await import("./describe/check-packages.ts");
  return check(workspace, server);
}

export async function repairPackages(
  workspace: Workspace,
  server?: string,
): Promise<readonly BrokenPackage[]> {
  const { repairPackages: repair } = await import("./describe/check-packages.ts");
  return repair(workspace, server);
}
