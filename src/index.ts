/** Plugboard's public API. */

export type { OAuthProvider, ShowSignIn, SignInPrompt, SignInView } from "./auth/index.ts";
export type { ModelProviderSettings, Settings } from "./config/index.ts";
export type { Host, HostOptions, HostSnapshot, ToolsOptions } from "./host-api.ts";
export type {
  AgentTool,
  ArtifactReference,
  Bundle,
  CallAnswer,
  CallOptions,
  CallRequest,
  CatalogKind,
  Completion,
  CompletionArgument,
  CompletionRef,
  ContentPart,
  ElicitationAnswer,
  ElicitationRequest,
  FormField,
  FormValue,
  HostErrorCode,
  HostEvent,
  HostListener,
  InProcessServer,
  Installation,
  InteractionReason,
  JsonObject,
  JsonValue,
  McpTransport,
  NamingStyle,
  PinPolicy,
  Problem,
  ProblemCode,
  PromptDefinition,
  PromptMessage,
  PromptResult,
  Provenance,
  ResourceContent,
  ResourceDefinition,
  ResourceResult,
  ResourceTemplateDefinition,
  Root,
  RootSource,
  SamplingAnswer,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
  Scope,
  ServerFacts,
  ServerLogLevel,
  ServerState,
  ServerStateDetails,
  ServerStateKind,
  ServerStatus,
  Tier,
  ToolAnnotations,
  ToolDefinition,
  ToolProgress,
  ToolResult,
  Transport,
} from "./model/index.ts";
export {
  checkFormValue,
  codeOf,
  HostError,
  isHostError,
  messageOf,
  ToolAbortError,
} from "./model/index.ts";
export type {
  AddRequest,
  ApprovalView,
  BrokenPackage,
  CallPreview,
  Diagnosis,
  ExportChange,
  ExportPlan,
  ExportRequest,
  ExportResult,
  Finding,
  GivenArguments,
  HostApprovals,
  HostConfig,
  HostDoctor,
  HostPins,
  HostPrompts,
  HostResources,
  HostSecrets,
  HostSignIns,
  ImportRequest,
  ImportResult,
  InteractionOptions,
  LaunchInspection,
  LaunchRun,
  ListOptions,
  LoginOptions,
  PinReport,
  ReloadOptions,
  ServerExplanation,
  ServerPrompt,
  ServerResource,
  ServerResourceTemplate,
  ServerTest,
  ServerView,
  SignInRoute,
  SwitchedServer,
  ToolBudget,
  UninstallOptions,
  UninstallPlan,
  UninstallResult,
  WriteScope,
  WrittenServer,
} from "./operations/index.ts";
export type { Clock, Files, Log, LogLevel, Ports, Processes } from "./platform/index.ts";
export type { ApprovalRequest, LaunchChange, LintFinding, ToolDifference } from "./policy/index.ts";
export type {
  InProcessServerOptions,
  LocalServerOptions,
  RemoteServerOptions,
  ServerOptions,
  TransportServerOptions,
} from "./server-options.ts";
export type { Session, SessionMode, SessionOptions, SessionSnapshot } from "./session/index.ts";
export type { LoggedRun, LogLine } from "./state/index.ts";
export { VERSION } from "./version.ts";

import type { Host, HostOptions } from "./host-api.ts";

/** Creates a host: reads the config files and finds all servers. Starts no servers except those with `eager: true`. */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const { createHost: create } = await import("./create-host.lazy.ts");
  return create(options);
}
