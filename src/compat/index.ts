/** The APIs of ToolLoop, OpenCode and related tools under their original names, for programs written for them. */
export { convertSchema } from "../bridge/index.ts";
export type {
  LoadMcpConfigOptions,
  McpBundleConfig,
  McpConfig,
  McpConfigLoadResult,
  McpConfigSource,
  McpServerConfig,
  McpTransportConfig,
} from "../config/index.ts";
export type { ServerStatus as MCPStatus } from "../model/index.ts";
export { ToolAbortError } from "../model/index.ts";
export type { RegisteredTool, ToolRegistryOptions } from "../session/index.ts";
export { ToolRegistry } from "../session/index.ts";
export type { CapabilityResult, MCPServer, MCPServerConfig } from "./capability.ts";
export { convertToLegacyConfig, loadCapability, mcpCapability } from "./capability.ts";
export type { LoadedConfigs } from "./config-files.ts";
export { loadAllMCPConfigs, validateServerConfig, writeMCPConfigFile } from "./config-files.ts";
export { expandEnvVarsDeep, resolveConfigValue } from "./config-values.ts";
export { discoverMcpConfigPath, loadMcpConfig, parseMcpConfig } from "./load-config.ts";
export type { LoadedTools, MCPLoadResult } from "./load-tools.ts";
export { discoverAndLoadMCPTools, MCPManager } from "./load-tools.ts";
export { MCP } from "./mcp.ts";
export type { MCPConnection } from "./mcp-tool.ts";
export { DeferredMCPTool, MCPTool } from "./mcp-tool.ts";
export type { McpOAuthCallbackOptions, McpOAuthClient } from "./oauth.ts";
export { McpOAuthCallback, McpOAuthProvider } from "./oauth.ts";
export type { McpTool } from "./sdk-tools.ts";
export type { McpClient, McpClientManagerOptions } from "./server-clients.ts";
export { McpClientManager } from "./server-clients.ts";
export { statusOf } from "./status.ts";
