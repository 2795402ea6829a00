import type { ExportResult } from "./export/apply-export.ts";
import type { ExportPlan, ExportRequest } from "./export/export-servers.ts";
import type { Workspace } from "./workspace.ts";

/** Exporting is rare: what it takes is loaded when it is asked for. */
export async function planExport(workspace: Workspace, request: ExportRequest): Promise<ExportPlan> {
  const { planExport: plan } = await import("./export/export-servers.ts");
  return plan(workspace, request);
}

export async function applyExport(workspace: Workspace, plan: ExportPlan): Promise<ExportResult> {
  const { applyExport: apply } = await import("./export/apply-export.ts");
  return apply(workspace, plan);
}
