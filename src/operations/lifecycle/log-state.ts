import type { ConnectionState } from "../../connection/index.ts";
import type { Log } from "../../platform/index.ts";

/** Logs connection failures, with the same messages as the seeds. */
export function logState({ log }: Log, server: string, state: ConnectionState): void {
  if (state.kind === "reconnecting" && state.nextTryAt !== undefined) {
    const { attempt, error } = state;
    log("warn", "MCP connection lost", { server, attempt, error: error.message });
  }
  if (state.kind !== "failed" && state.kind !== "needs_auth") return;
  if (state.error.code === "CONNECT_TIMEOUT") log("error", "MCP server timeout", { server });
  else log("error", "MCP connection failed", { server, error: state.error.message });
}
