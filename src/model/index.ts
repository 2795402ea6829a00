/** Types and pure functions that all modules share. No I/O. */

export type { WaitOptions } from "./abort-error.ts";
export { callTimeout, isTimeoutReason, toAbortError, toToolAbort } from "./abort-error.ts";
export type { EventHub } from "./event-hub.ts";
export { createEventHub } from "./event-hub.ts";
export { groupBy } from "./group-by.ts";
export type { HostErrorCode, InteractionReason } from "./host-error.ts";
export { codeOf, ERROR_CODES, HostError, isHostError, messageOf, ToolAbortError } from "./host-error.ts";
export type {
  CallInfo,
  CallOutcome,
  CatalogKind,
  HostEvent,
  HostListener,
  PublishedEvent,
} from "./host-event.ts";
export type { FromJsonSchema } from "./json/from-json-schema.ts";
export { isHuge, markHuge } from "./json/huge-object.ts";
export type { JsonObject, JsonValue } from "./json/json-value.ts";
export { canonicalJson, isEqualJson, isJsonObject, isList, itemsOf } from "./json/json-value.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "./json/standard-schema.ts";
export { memoize } from "./memoize.ts";
export { notifyListener } from "./notify-listener.ts";
export type { Problem, ProblemCode } from "./problem.ts";
export { PROBLEM_CODES } from "./problem.ts";
export type { Era } from "./protocol.ts";
export { describeProtocolChoices, isProtocolChoice, LEGACY_VERSIONS, MODERN_VERSION } from "./protocol.ts";
export { checkFormValue } from "./questions/form-value.ts";
export type {
  ElicitationAnswer,
  ElicitationRequest,
  FormField,
  QuestionHandlers,
  Root,
  RootSource,
  SamplingAnswer,
  SamplingMessage,
  SamplingRequest,
  ServerLogLevel,
} from "./questions/server-question.ts";
export { maskLaunch, maskLaunchForStorage } from "./secrets/mask-launch.ts";
export { isSecretName, looksSecret, maskArguments, maskText, maskUrl, Redactor } from "./secrets/redactor.ts";
export { Secret } from "./secrets/secret.ts";
export { TextMatcher } from "./secrets/text-matcher.ts";
export { createSerialQueue, createSerialQueues } from "./serial-queue.ts";
export { argumentsInCommand } from "./server/arguments-in-command.ts";
export type { Decision } from "./server/decision.ts";
export type { ExpansionRules, PlaceholderSyntax } from "./server/expansion.ts";
export { NATIVE_EXPANSION, NO_EXPANSION } from "./server/expansion.ts";
export type { InProcessServer, InProcessSource, McpTransport } from "./server/in-process-source.ts";
export type { Installation } from "./server/installation.ts";
export { describeInstallation } from "./server/installation.ts";
export {
  codeArguments,
  inlineCode,
  isCommandPath,
  isInterpreter,
  isRelativePath,
  mayNameOwnFolder,
  programName,
} from "./server/interpreter.ts";
export { isGateway } from "./server/is-gateway.ts";
export type { InProcessLaunch, Launch, RemoteLaunch, StdioLaunch, Transport } from "./server/launch.ts";
export { approvedFields, approvedMembers } from "./server/launch.ts";
export type { OwnerProblemCode } from "./server/owner-problem.ts";
export { OWNER_PROBLEMS } from "./server/owner-problem.ts";
export type { Profile } from "./server/profile.ts";
export type { Provenance, Scope, Tier } from "./server/provenance.ts";
export { describePlace } from "./server/provenance.ts";
export type { SandboxDenial, SandboxProfile } from "./server/sandbox-profile.ts";
export type {
  InputRequest,
  OwnerVerdict,
  Position,
  Server,
  ServerDeclaration,
  ServerEntry,
} from "./server/server.ts";
export { positionOfField } from "./server/server.ts";
export type { ServerFacts, ServerState, ServerStateDetails, ServerStateKind } from "./server/server-state.ts";
export { SERVER_STATES } from "./server/server-state.ts";
export type { ServerStatus } from "./server/server-status.ts";
export { connectTimeout, timeoutHint } from "./server/timeouts.ts";
export { type RunningByKey, sharedRun, singleFlight } from "./single-flight.ts";
export { isOneEditApart } from "./text/is-one-edit-apart.ts";
export { findLookAlike } from "./text/look-alike.ts";
export { matchesGlob } from "./text/matches-glob.ts";
export { nearest } from "./text/nearest.ts";
export { replaceClosed } from "./text/replace-closed.ts";
export { safeJson, safeLine, safeText, shortLine, shortText, truncate } from "./text/safe-text.ts";
export { quoteForShell, shellWord } from "./text/shell-word.ts";
export { someNames } from "./text/some-names.ts";
export { isHiddenName, safeVariableName } from "./text/variable-name.ts";
export type {
  AgentTool,
  ArtifactReference,
  CallOptions,
  CallRequest,
  ContentPart,
  ResultArtifact,
  ToolProgress,
  ToolResult,
} from "./tools/agent-tool.ts";
export type {
  FunctionArguments,
  FunctionContext,
  FunctionSchema,
  FunctionTool,
} from "./tools/function-tool.ts";
export { PROGRAM_NAME } from "./tools/function-tool.ts";
export type { MissingTools } from "./tools/missing-tools.ts";
export type { NamingStyle } from "./tools/naming-style.ts";
export { NAMING_STYLES, RETIRED_NAME } from "./tools/naming-style.ts";
export type {
  Completion,
  CompletionArgument,
  CompletionRef,
  PromptMessage,
  PromptResult,
  ResourceContent,
  ResourceResult,
} from "./tools/resources-and-prompts.ts";
export type {
  PinnedTool,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolAnnotations,
  ToolAudience,
  ToolDefinition,
} from "./tools/tool-definition.ts";
export { isForModels, SCHEMA_OMITTED } from "./tools/tool-definition.ts";
export type {
  Bundle,
  BundleChoice,
  CallAnswer,
  InlineBundle,
  PinPolicy,
  ToolLists,
  ToolRules,
} from "./tools/tool-rules.ts";
export { CALL_ANSWERS, PIN_POLICIES } from "./tools/tool-rules.ts";
export type {
  CallToolParams,
  ClientCapabilities,
  ElicitationResult,
  FormValue,
  InitializeParams,
  LogParams,
  MediaContent,
  ProgressParams,
  RootsResult,
  SamplingContent,
  SamplingResult,
  TextContent,
  ToolResultContent,
  ToolUseContent,
} from "./wire.ts";
