/** Test helpers: scripted MCP servers, recordings, a manual clock and an in-memory file system. */
export type { ManualClock } from "./manual-clock.ts";
export { createManualClock } from "./manual-clock.ts";
export { createMemoryFiles } from "./memory-files.ts";
export { recordedHost } from "./recorded-host.ts";
export type { NodeTest, RecordedHostOptions, RunningTest, VitestTest } from "./running-test.ts";
export type {
  ScriptedCall,
  ScriptedServer,
  ScriptedTool,
  SendMessage,
  ServerScript,
} from "./scripted-server.ts";
export { createScriptedServer } from "./scripted-server.ts";
export type { HttpRequestHead, HttpScriptedServer, ServeHttpOptions } from "./serve-http.ts";
export { serveHttp } from "./serve-http.ts";
export type { LineOutput } from "./serve-lines.ts";
export { serveLines } from "./serve-lines.ts";
export { verifyCredentialStore } from "./verify-credential-store.ts";
