/** Agent tools → what one agent holds: replaced as a whole, frozen between replacements. */
export type { SessionMode } from "./arrange-tools.ts";
export type { Session, SessionOptions, SessionSnapshot, ToolsListener } from "./session.ts";
export { createSession } from "./session.ts";
export type { RegisteredTool, ToolRegistryOptions } from "./tool-registry.ts";
export { ToolRegistry } from "./tool-registry.ts";
