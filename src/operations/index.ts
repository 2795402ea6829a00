/** Verbs that cross rooms, one file each. The command line and `/mcp` call the same ones, through the host. */

export { approveServer, describeApproval } from "./approvals/approve-server.ts";
export type { LaunchInspection, LaunchRun } from "./approvals/inspect-launch.ts";
export { pinPolicyOf } from "./approvals/pin-policy.ts";
export { acceptPins, reviewPins } from "./approvals/review-pins.ts";
export type { ApprovalView } from "./approvals/revoke-approval.ts";
export { listApprovals, revokeApproval } from "./approvals/revoke-approval.ts";
export type { PinReport } from "./approvals/tool-pins.ts";
export { createToolPins } from "./approvals/tool-pins.ts";
export type { BrokenPackage } from "./describe/check-packages.ts";
export { checkValues } from "./describe/check-values.ts";
export type { ServerView } from "./describe/describe-server.ts";
export { describeServers } from "./describe/describe-server.ts";
export type { Diagnosis, Finding } from "./describe/diagnose.ts";
export { diagnose } from "./describe/diagnose.ts";
export type { ServerExplanation } from "./describe/explain-server.ts";
export { explainServer } from "./describe/explain-server.ts";
export { readServerLogs } from "./describe/read-server-logs.ts";
export type { UninstallOptions, UninstallPlan, UninstallResult } from "./describe/uninstall.ts";
export type { ExportResult } from "./export/apply-export.ts";
export type { ExportChange, ExportPlan, ExportRequest } from "./export/export-servers.ts";
export {
  applyExport,
  checkPackages,
  checkPrograms,
  checkTools,
  inspectLaunch,
  planExport,
  planUninstall,
  repairPackages,
  uninstall,
  withOffers,
} from "./lazy-operations.ts";
export { createAccountConnections } from "./lifecycle/account-connections.ts";
export { connectAll } from "./lifecycle/connect-all.ts";
export { findServer } from "./lifecycle/find-server.ts";
export { isProjectPlaceholder, isProjectValue, isUserText } from "./lifecycle/loaded-texts.ts";
export { logState } from "./lifecycle/log-state.ts";
export { openServer } from "./lifecycle/open-server.ts";
export { prepareConfig } from "./lifecycle/prepare-config.ts";
export {
  declareCopy,
  declareLoaded,
  declarePlain,
  programServers,
  rememberLoaded,
  tierOfPart,
} from "./lifecycle/program-servers.ts";
export type { Inventory, InventorySource } from "./lifecycle/read-inventory.ts";
export { readInventory } from "./lifecycle/read-inventory.ts";
export { reloadServers } from "./lifecycle/reload-servers.ts";
export { startEager } from "./lifecycle/start-eager.ts";
export type { ServerTest } from "./lifecycle/test-server.ts";
export { testServer } from "./lifecycle/test-server.ts";
export { useServer } from "./lifecycle/use-server.ts";
export { watchFiles } from "./lifecycle/watch-files.ts";
export type { AddRequest, WrittenServer } from "./native-files/add-server.ts";
export { addServer } from "./native-files/add-server.ts";
export { staysInProject } from "./native-files/assert-inside-project.ts";
export type { ImportRequest, ImportResult } from "./native-files/import-servers.ts";
export { importServers } from "./native-files/import-servers.ts";
export { moveServer } from "./native-files/move-server.ts";
export type { WriteScope } from "./native-files/native-files.ts";
export { removeServer } from "./native-files/remove-server.ts";
export type { SwitchedServer } from "./native-files/switch-server.ts";
export { switchServer } from "./native-files/switch-server.ts";
export type {
  ServerPrompt,
  ServerResource,
  ServerResourceTemplate,
} from "./resources-and-prompts/list-offers.ts";
export type { SignInRoute } from "./sign-in/describe-sign-in.ts";
export { listSignIns } from "./sign-in/list-sign-ins.ts";
export { listSecrets, readSecret, removeSecret, storeSecret } from "./sign-in/secrets.ts";
export type { LoginOptions } from "./sign-in/sign-in.ts";
export {
  announceAddress,
  signInServer,
  signOutServer,
  switchAccount,
  withSignIn,
} from "./sign-in/sign-in.ts";
export type { GivenArguments } from "./tools/call-tool.ts";
export { callTool } from "./tools/call-tool.ts";
export { listAllTools, listInstructions, listServerTools } from "./tools/list-tools.ts";
export { offerTools } from "./tools/offer-tools.ts";
export { namesOfOthers } from "./tools/other-tool-names.ts";
export type { CallPreview } from "./tools/preview-call.ts";
export { previewCall } from "./tools/preview-call.ts";
export type { ToolBudget } from "./tools/search-tools.ts";
export { measureTools, searchTools } from "./tools/search-tools.ts";
export { isMetaServer } from "./tools/tool-access.ts";
export { createToolProblems } from "./tools/tool-problems.ts";
export type { ReloadOptions, Workspace } from "./workspace.ts";
export { catalogSubject, stateOf } from "./workspace.ts";
