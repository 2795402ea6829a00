/** Verbs that cross rooms, one file each. The command line and `/mcp` call the same ones, through the host. */

export { createAccountConnections } from "./account-connections.ts";
export type { AddRequest, WrittenServer } from "./add-server.ts";
export { addServer } from "./add-server.ts";
export { approveServer, describeApproval } from "./approve-server.ts";
export type { GivenArguments } from "./call-tool.ts";
export { callTool } from "./call-tool.ts";
export { checkValues } from "./check-values.ts";
export { connectAll } from "./connect-all.ts";
export type { ServerView } from "./describe-server.ts";
export { describeServers } from "./describe-servers.ts";
export type { SignInRoute } from "./describe-sign-in.ts";
export type { Diagnosis, Finding } from "./diagnose.ts";
export { diagnose } from "./diagnose.ts";
export type { ServerExplanation } from "./explain-server.ts";
export { explainServer } from "./explain-server.ts";
export type { ExportResult } from "./export/apply-export.ts";
export type { ExportChange, ExportPlan, ExportRequest } from "./export-servers.ts";
export { findServer } from "./find-server.ts";
export type { ImportRequest, ImportResult } from "./import-servers.ts";
export { importServers } from "./import-servers.ts";
export type { BrokenPackage } from "./inspection/check-packages.ts";
export type { LaunchInspection, LaunchRun } from "./inspection/inspect-launch.ts";
export { applyExport, planExport } from "./lazy-export.ts";
export {
  checkPackages,
  checkPrograms,
  checkTools,
  inspectLaunch,
  repairPackages,
} from "./lazy-inspection.ts";
export { withOffers } from "./lazy-offers.ts";
export { planUninstall, uninstall } from "./lazy-uninstall.ts";
export { listSignIns } from "./list-sign-ins.ts";
export { listAllTools, listInstructions, listServerTools } from "./list-tools.ts";
export { isProjectPlaceholder, isProjectValue, isUserText } from "./loaded-texts.ts";
export { logState } from "./log-state.ts";
export { moveServer } from "./move-server.ts";
export { namesOfOthers } from "./names-of-others.ts";
export type { WriteScope } from "./native-files.ts";
export { offerTools } from "./offer-tools.ts";
export type { ServerPrompt, ServerResource, ServerResourceTemplate } from "./offers/list-offers.ts";
export { openServer } from "./open-server.ts";
export { pinPolicyOf } from "./pin-policy.ts";
export { prepareConfig } from "./prepare-config.ts";
export type { CallPreview } from "./preview-call.ts";
export { previewCall } from "./preview-call.ts";
export {
  declareCopy,
  declareLoaded,
  declarePlain,
  programServers,
  rememberLoaded,
  tierOfPart,
} from "./program-servers.ts";
export type { Inventory, InventorySource } from "./read-inventory.ts";
export { readInventory } from "./read-inventory.ts";
export { readServerLogs } from "./read-server-logs.ts";
export { reloadServers } from "./reload-servers.ts";
export { removeServer } from "./remove-server.ts";
export { acceptPins, reviewPins } from "./review-pins.ts";
export type { ApprovalView } from "./revoke-approval.ts";
export { listApprovals, revokeApproval } from "./revoke-approval.ts";
export type { ToolBudget } from "./search-tools.ts";
export { measureTools, searchTools } from "./search-tools.ts";
export { listSecrets, readSecret, removeSecret, storeSecret } from "./secrets.ts";
export type { LoginOptions } from "./sign-in.ts";
export { announceAddress, signInServer, signOutServer, switchAccount, withSignIn } from "./sign-in.ts";
export { startEager } from "./start-eager.ts";
export { staysInProject } from "./stays-in-project.ts";
export type { SwitchedServer } from "./switch-server.ts";
export { switchServer } from "./switch-server.ts";
export type { ServerTest } from "./test-server.ts";
export { testServer } from "./test-server.ts";
export { isMetaServer } from "./tool-access.ts";
export type { PinReport } from "./tool-pins.ts";
export { createToolPins } from "./tool-pins.ts";
export { createToolProblems } from "./tool-problems.ts";
export type { UninstallOptions, UninstallPlan, UninstallResult } from "./uninstall.ts";
export { useServer } from "./use-server.ts";
export { watchFiles } from "./watch-files.ts";
export type { ReloadOptions, Workspace } from "./workspace.ts";
export { catalogSubject, stateOf } from "./workspace.ts";
