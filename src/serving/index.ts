/** Serves all servers as one MCP server to clients of both eras, over stdio and Streamable HTTP. */
export type { HttpOptions, HttpServer } from "./client/http-server.ts";
export type { ServingOptions } from "./endpoints.ts";
export type { GatewayLimits } from "./limits.ts";
export type { Serving } from "./serving.ts";
export { createServing } from "./serving.ts";
