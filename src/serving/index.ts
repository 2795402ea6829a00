/** Serves all servers as one MCP server to clients of both eras, over stdio and Streamable HTTP. */
export type { Rights } from "./access/rights.ts";
export { createRights } from "./access/rights.ts";
export type { SignInPages } from "./access/sign-in-pages.ts";
export type { HttpEndpoints } from "./client/http-endpoints.ts";
export { sendError } from "./client/http-endpoints.ts";
export type { HttpOptions, HttpServer } from "./client/http-server.ts";
export { crossOriginHeaders } from "./client/http-server.ts";
export type { ServingOptions } from "./endpoints.ts";
export { type GuardEvent, type MeasuredServer, ResourceGuard } from "./guard/resource-guard.ts";
export type { GatewayLimits } from "./limits.ts";
export { createServerLimits, RequestLimits } from "./limits.ts";
export type {
  ActivityDocument,
  ActivityOutcome,
  ActivityRow,
  ApprovalsDocument,
  ApproveRequest,
  Attention,
  CallDocument,
  CallRequestBody,
  ChangedToolsRow,
  ClientRow,
  ClientsDocument,
  ConnectionsDocument,
  Done,
  FieldChange,
  FilePlace,
  JsonMap,
  LaunchDetails,
  LaunchRow,
  LogsDocument,
  MetricsDocument,
  NoFields,
  Overview,
  PageDecision,
  PageError,
  PageErrorCode,
  PageProblem,
  PageRight,
  PageRole,
  PageServerState,
  PageSession,
  PageSnapshot,
  PageTopic,
  PreviewDocument,
  PreviewRequest,
  ServerDetails,
  ServerMetrics,
  ServerRow,
  ServersDocument,
  SetupDocument,
  SetupRow,
  SignInProgress,
  SignInRequest,
  SignInRow,
  SignOutRequest,
  TicketRequest,
  TokenMetrics,
  ToolDetails,
  ToolHints,
  ToolRow,
  ToolsDocument,
  WaitingCall,
} from "./pages/page-api.ts";
export { RateLimit } from "./rate-limit.ts";
export type { Serving, ServingTeam } from "./serving.ts";
export { createServing } from "./serving.ts";
