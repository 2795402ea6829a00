/** The nouns every room speaks in. Pure: no I/O, no Node. */
export type {
  AgentTool,
  ArtifactReference,
  CallOptions,
  CallRequest,
  ContentPart,
  ToolProgress,
  ToolResult,
} from "./agent-tool.ts";
export type { Decision } from "./decision.ts";
export type { EventHub } from "./event-hub.ts";
export { createEventHub } from "./event-hub.ts";
export type { ExpansionRules, PlaceholderSyntax } from "./expansion.ts";
export { NATIVE_EXPANSION, NO_EXPANSION } from "./expansion.ts";
export { checkFormValue } from "./form-value.ts";
export { groupBy } from "./group-by.ts";
export type { HostErrorCode, InteractionReason } from "./host-error.ts";
export { codeOf, ERROR_CODES, HostError, isHostError, messageOf, ToolAbortError } from "./host-error.ts";
export type { CatalogKind, HostEvent, HostListener } from "./host-event.ts";
export type { Installation } from "./installation.ts";
export { describeInstallation } from "./installation.ts";
export {
  codeArguments,
  inlineCode,
  isCommandPath,
  isInterpreter,
  isRelativePath,
  programName,
} from "./interpreter.ts";
export type { JsonObject, JsonValue } from "./json-value.ts";
export { canonicalJson, isJsonObject } from "./json-value.ts";
export type { Launch, RemoteLaunch, StdioLaunch, Transport } from "./launch.ts";
export { launchFields, launchMembers } from "./launch.ts";
export { launchToKeep, maskLaunch } from "./mask-launch.ts";
export { matchesGlob } from "./matches-glob.ts";
export type { NamingStyle } from "./naming-style.ts";
export { NAMING_STYLES, RETIRED_NAME } from "./naming-style.ts";
export { nearest } from "./nearest.ts";
export type {
  Completion,
  CompletionArgument,
  CompletionRef,
  PromptMessage,
  PromptResult,
  ResourceContent,
  ResourceResult,
} from "./offers.ts";
export type { OwnerProblemCode } from "./owner-problem.ts";
export { OWNER_PROBLEMS } from "./owner-problem.ts";
export type { Problem, ProblemCode } from "./problem.ts";
export { PROBLEM_CODES } from "./problem.ts";
export type { Era } from "./protocol.ts";
export { describeProtocolChoices, isProtocolChoice, LEGACY_VERSIONS, MODERN_VERSION } from "./protocol.ts";
export type { Provenance, Scope, Tier } from "./provenance.ts";
export { describePlace } from "./provenance.ts";
export { isSecretName, looksSecret, maskArguments, maskUrl, Redactor } from "./redactor.ts";
export { safeJson, safeLine, safeText, shortLine, shortText, truncate } from "./safe-text.ts";
export { sameJson } from "./same-json.ts";
export { Secret } from "./secret.ts";
export type {
  InputRequest,
  OwnerVerdict,
  Position,
  Server,
  ServerDeclaration,
  ServerEntry,
} from "./server.ts";
export { placeOfField } from "./server.ts";
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
} from "./server-question.ts";
export type { ServerFacts, ServerState, ServerStateKind } from "./server-state.ts";
export { SERVER_STATES } from "./server-state.ts";
export type { ServerStatus } from "./server-status.ts";
export { statusOf } from "./server-status.ts";
export { tell } from "./tell.ts";
export { TextMatcher } from "./text-matcher.ts";
export { connectTimeout, timeoutHint } from "./timeouts.ts";
export type {
  PinnedTool,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolAnnotations,
  ToolDefinition,
} from "./tool-definition.ts";
export { LEFT_OUT } from "./tool-definition.ts";
export type { Bundle, CallAnswer, PinPolicy, ToolLists, ToolRules } from "./tool-rules.ts";
export { CALL_ANSWERS, PIN_POLICIES } from "./tool-rules.ts";
export { isHiddenName, shownVariableName } from "./variable-name.ts";
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
