/** Operations that use several modules, one file each. The command line and `/mcp` reach them through the host. */

export type { AllowedCallView } from "./approvals/allowed-calls.ts";
export type { HostApprovals } from "./approvals/approvals-api.ts";
export { createApprovals } from "./approvals/create-approvals.ts";
export { createPins } from "./approvals/create-pins.ts";
export type { LaunchInspection, LaunchRun } from "./approvals/inspect-launch.lazy.ts";
export { pinPolicyOf } from "./approvals/pin-policy.ts";
export type { HostPins } from "./approvals/pins-api.ts";
export type { ApprovalView } from "./approvals/revoke-approval.ts";
export type { SandboxSource } from "./approvals/sandbox-choices.ts";
export type { PinReport } from "./approvals/tool-pins.ts";
export { createToolPins, withoutOwnNames } from "./approvals/tool-pins.ts";
export type {
  CallChange,
  CallKind,
  CallTypes,
  Middleware,
  MiddlewareCall,
  MiddlewareResult,
} from "./calls/middleware.ts";
export { wrapHandlers } from "./calls/wrap-handlers.ts";
export type { HostConversations } from "./conversations/conversations-api.ts";
export { createConversations } from "./conversations/create-conversations.ts";
export type { BrokenPackage } from "./describe/check-packages.ts";
export { createDoctor } from "./describe/create-doctor.ts";
export type { ServerView } from "./describe/describe-server.ts";
export { describeServers, programProblems } from "./describe/describe-server.ts";
export { describeConnection } from "./describe/describe-state.ts";
export type { Diagnosis, Finding } from "./describe/diagnose.ts";
export type { HostDoctor } from "./describe/doctor-api.ts";
export type { ServerExplanation } from "./describe/explain-server.ts";
export type { WebRequest, WebResponse } from "./describe/send-request.lazy.ts";
export type { UninstallOptions, UninstallPlan, UninstallResult } from "./describe/uninstall.lazy.ts";
export type { ExportResult } from "./export/apply-export.lazy.ts";
export type { ExportChange, ExportPlan, ExportRequest } from "./export/export-servers.lazy.ts";
export type { GatewayExport } from "./export/gateway-entry.ts";
export { gatewaySetups } from "./export/gateway-setups.ts";
export { createSessionFunctions } from "./functions/session-functions.ts";
export type { HostScope } from "./host-scope.ts";
export { createAccountConnections } from "./lifecycle/account-connections.ts";
export { connectAll } from "./lifecycle/connect-all.ts";
export { connectToServer } from "./lifecycle/connect-to-server.ts";
export { isProjectPlaceholder, isProjectValue, isUserText } from "./lifecycle/loaded-texts.ts";
export { logEvent, logInventory } from "./lifecycle/log-inventory.ts";
export { logState } from "./lifecycle/log-state.ts";
export { unlessCancelled } from "./lifecycle/on-server.ts";
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
export { inventoryWith, readInventory, readInventoryFor } from "./lifecycle/read-inventory.ts";
export { reloadServers } from "./lifecycle/reload-servers.ts";
export { createServerValues } from "./lifecycle/server-values.ts";
export { startEager } from "./lifecycle/start-eager.ts";
export type { ServerTest } from "./lifecycle/test-server.ts";
export type { AddRequest, WrittenServer } from "./native-files/add-server.ts";
export { assertInsideProject } from "./native-files/assert-inside-project.ts";
export type { HostConfig, McpbFile } from "./native-files/config-api.ts";
export { createConfig } from "./native-files/create-config.ts";
export type { EditedServer, EditRequest } from "./native-files/edit-server.lazy.ts";
export type { ImportRequest, ImportResult } from "./native-files/import-servers.ts";
export type { WriteScope } from "./native-files/native-files.ts";
export type { SwitchedServer } from "./native-files/set-server-enabled.ts";
export type { UsedProfile, UseProfileRequest } from "./native-files/use-profile.lazy.ts";
export type { ApprovalAnswer, InputsRequest, InteractionOptions } from "./people.ts";
export { createPeople } from "./people.ts";
export type { GivenProvider } from "./principals/handlers-for.ts";
export { handlersFor, providersFor } from "./principals/handlers-for.ts";
export { checkSessionHeaders } from "./principals/session-headers.ts";
export { isSessionOwned, shareOf } from "./principals/share.ts";
export { createRegistry } from "./registry/create-registry.ts";
export type {
  HostRegistry,
  RegistryEntry,
  RegistryLaunch,
  RegistrySearch,
  RegistryServer,
  ServerCard,
} from "./registry/registry-api.ts";
export type { OfferRules } from "./relay/offered-lists.ts";
export {
  definitionOf,
  isReadOnly,
  knownLists,
  offeredServers,
  offeredTools,
  readLists,
} from "./relay/offered-lists.ts";
export type { RelayConnection, RelayedAnswer } from "./relay/relay-request.ts";
export { relayRequest, relayToolCall } from "./relay/relay-request.ts";
export { createPrompts } from "./resources-and-prompts/create-prompts.ts";
export { createResources } from "./resources-and-prompts/create-resources.ts";
export type {
  ListOptions,
  ServerPrompt,
  ServerResource,
  ServerResourceTemplate,
} from "./resources-and-prompts/list-offers.ts";
export type { HostPrompts } from "./resources-and-prompts/prompts-api.ts";
export type { HostResources } from "./resources-and-prompts/resources-api.ts";
export { subscribeResource } from "./resources-and-prompts/subscribe-resource.ts";
export { createSandbox } from "./sandbox/create-sandbox.ts";
export type {
  HostSandbox,
  LearnedSandbox,
  LearnOptions,
  SandboxChoice,
  SandboxProbe,
  SandboxRequest,
  SandboxTest,
  UnsandboxedServers,
} from "./sandbox/sandbox-api.ts";
export { createSecrets } from "./sign-in/create-secrets.ts";
export { createSignIns } from "./sign-in/create-sign-ins.ts";
export type { SignInRoute } from "./sign-in/describe-sign-in.ts";
export type { HostSecrets } from "./sign-in/secrets-api.ts";
export type { LoginOptions } from "./sign-in/sign-in.ts";
export { reportPrivateAddress, signInServer, signOutServer } from "./sign-in/sign-in.ts";
export type { HostSignIns } from "./sign-in/sign-ins-api.ts";
export { createSupply } from "./supply/create-supply.ts";
export type {
  AdvisoryStatus,
  HostSupply,
  InventoryItem,
  InventoryPackage,
  LockCheck,
  LockOptions,
  PackageUpdate,
  ServerInventory,
  UpdateAdvisoriesOptions,
  UpdateOptions,
  UpgradeRequest,
  WrittenLock,
} from "./supply/supply-api.ts";
export { createTasks } from "./tasks/create-tasks.ts";
export { taskLifetime } from "./tasks/journal.ts";
export type { HostTasks, TaskView, WaitForTaskOptions } from "./tasks/tasks-api.ts";
export type { GivenArguments } from "./tools/call-tool.ts";
export { callTool } from "./tools/call-tool.ts";
export { decideTools } from "./tools/decide-tools.ts";
export { missingTools } from "./tools/first-lists.ts";
export type { ToolInspection } from "./tools/inspect-tool.lazy.ts";
export { createKnownTools } from "./tools/known-tools.ts";
export { listAllTools, listInstructions, listServerTools } from "./tools/list-tools.ts";
export { offerTools } from "./tools/offer-tools.ts";
export { otherToolNames } from "./tools/other-tool-names.ts";
export type { CallPreview } from "./tools/preview-call.ts";
export type { SearchOptions, ToolBudget } from "./tools/search-tools.ts";
export { searchTools } from "./tools/search-tools.ts";
export { chooseBundles, isMetaServer } from "./tools/tool-access.ts";
export { chooseSlots, createToolUsage } from "./tools/tool-usage.ts";
export type { ReloadOptions, Workspace } from "./workspace.ts";
export { catalogSubject, decide } from "./workspace.ts";
