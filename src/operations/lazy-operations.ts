import type { Problem, ServerEntry } from "../model/index.ts";
import type { LaunchInspection } from "./approvals/inspect-launch.ts";
import type { BrokenPackage } from "./describe/check-packages.ts";
import type { Finding } from "./describe/diagnose.ts";
import type { UninstallOptions, UninstallPlan, UninstallResult } from "./describe/uninstall.ts";
import type { ExportResult } from "./export/apply-export.ts";
import type { ExportPlan, ExportRequest } from "./export/export-servers.ts";
import type { Workspace } from "./workspace.ts";

// Operations that most runs never use. Their code is loaded by the first call, to keep start-up fast.

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

export async function planExport(workspace: Workspace, request: ExportRequest): Promise<ExportPlan> {
  const { planExport: plan } = await import("./export/export-servers.ts");
  return plan(workspace, request);
}

export async function applyExport(workspace: Workspace, plan: ExportPlan): Promise<ExportResult> {
  const { applyExport: apply } = await import("./export/apply-export.ts");
  return apply(workspace, plan);
}

export async function planUninstall(workspace: Workspace, options: UninstallOptions): Promise<UninstallPlan> {
  return (await import("./describe/uninstall.ts")).planUninstall(workspace, options);
}

export async function uninstall(workspace: Workspace, plan: UninstallPlan): Promise<UninstallResult> {
  return (await import("./describe/uninstall.ts")).uninstall(workspace, plan);
}

type Offers = typeof import("./resources-and-prompts/index.ts");

/** Resources, prompts and completions. */
export async function withOffers<T>(use: (offers: Offers) => Promise<T>): Promise<T> {
  return use(await import("./resources-and-prompts/index.ts"));
}
