/** Plugboard's settings, and functions to read and edit config files. */

export type { NativeEdit, NativeFileEdit } from "./edit-native-file.ts";
export { editNativeFile, editNativeFiles } from "./edit-native-file.ts";
export { GATEWAY_KEYS } from "./gateway-file/gateway-keys.ts";
export { schemaOf } from "./gateway-file/key-spec.ts";
export { readGatewayFile } from "./gateway-file/read-gateway-file.ts";
export type { GatewayClientSettings, GatewaySettings } from "./gateway-settings.ts";
export { readInlineConfig } from "./inline-config.ts";
export type {
  LoadMcpConfigOptions,
  McpConfigLayer,
  McpConfigLoadResult,
  McpConfigSource,
} from "./load-toolloop-config.ts";
export { findMcpConfigPath, readMcpConfig } from "./load-toolloop-config.ts";
export type { ModelProviderSettings } from "./model-settings.ts";
export { ProjectBudget } from "./project-budget.ts";
export type { ReadDocument } from "./read-document.ts";
export { parseDocument, problemIn, readDocument, withoutDetails } from "./read-document.ts";
export type { Settings } from "./settings.ts";
export { checkSettings, DEFAULT_SETTINGS, loadSettings } from "./settings.ts";
export type { McpBundleConfig, McpConfig, McpServerConfig, McpTransportConfig } from "./toolloop-config.ts";
export { parseMcpConfig } from "./toolloop-config.ts";
