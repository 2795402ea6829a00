/** Serves all servers as one MCP server to clients of both eras, over stdio and Streamable HTTP. */

export type { CallInbox } from "./access/call-inbox.ts";
export { createProof } from "./access/key-proof.ts";
export { readSecretFile } from "./access/local-access.ts";
export type { Rights } from "./access/rights.ts";
export { createRights } from "./access/rights.ts";
export type { SignInPages } from "./access/sign-in-pages.ts";
export type { HttpEndpoints } from "./client/http-endpoints.ts";
export { sendError } from "./client/http-endpoints.ts";
export type { HttpOptions, HttpServer } from "./client/http-server.ts";
export { crossOriginHeaders } from "./client/http-server.ts";
export { createSessionIds } from "./client/session-id.ts";
export type { ServingCluster } from "./cluster/serving-cluster.ts";
export type { ServingOptions } from "./endpoints.ts";
export { type GuardEvent, type MeasuredServer, ResourceGuard } from "./guard/resource-guard.ts";
export type { GatewayLimits } from "./limits.ts";
export { createServerLimits, RequestLimits, type ServerLimits } from "./limits.ts";
export type { Dashboard, OpenDashboardOptions } from "./pages/dashboard.ts";
export { DASHBOARD_KEY, DASHBOARD_PATH } from "./pages/dashboard.ts";
export { RateLimit } from "./rate-limit.ts";
export { auditEntryId } from "./record/audit.ts";
export type { Serving, ServingTeam } from "./serving.ts";
export { createServing } from "./serving.ts";
