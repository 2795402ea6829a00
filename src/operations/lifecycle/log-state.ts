import type { ConnectionState } from "../../connection/index.ts";
import { shortLine } from "../../model/index.ts";
import type { Log } from "../../platform/index.ts";

/** Servers choose their own names and versions. */
const LONGEST_NAME = 200;

/** Logs a server's new state. Failures have the same messages as in the seeds. */
export function logState({ log }: Log, server: string, state: ConnectionState): void {
  switch (state.kind) {
    case "connecting":
      log("info", "server.connecting", { server });
      break;
    case "installing":
      log("debug", "server.installing", { server, elapsedMs: state.elapsedMs });
      break;
    case "connected": {
      const { name = "", version = "", transport, protocolVersion } = state.facts;
      const [serverName, serverVersion] = [name, version].map((text) => shortLine(text, LONGEST_NAME));
      log("info", "server.connected", { server, serverName, serverVersion, transport, protocolVersion });
      break;
    }
    case "idle":
      log("info", "server.stopped", { server });
      break;
    case "reconnecting":
      if (state.nextTryAt !== undefined)
        log("warn", "MCP connection lost", { server, attempt: state.attempt, error: state.error.message });
      break;
    case "failed":
    case "needs_auth":
    case "needs_client_registration":
      if (state.error.code === "CONNECT_TIMEOUT") log("error", "MCP server timeout", { server });
      else log("error", "MCP connection failed", { server, error: state.error.message });
      break;
  }
}
