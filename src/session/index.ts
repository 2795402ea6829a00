/** Sessions: the set of tools for one agent. It is replaced as a whole and frozen in between. */
export type { SessionMode } from "./arrange-tools.ts";
export type {
  FunctionSchemas,
  Session,
  SessionHeaders,
  SessionOptions,
  SessionSnapshot,
  SessionToolsOptions,
  ToolsListener,
} from "./session.ts";
export { createSession } from "./session.ts";
export type { RegisteredTool, ToolRegistryOptions } from "./tool-registry.ts";
export { ToolRegistry } from "./tool-registry.ts";
