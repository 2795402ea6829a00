import type { Host } from "../host-api.ts";
import type { ServerStatus } from "../model/index.ts";
import type { ServerView } from "../operations/index.ts";

/** Returns the status of every server in OpenCode's five values, by name. Starts nothing. */
export function statusOf(host: Pick<Host, "servers">): Readonly<Record<string, ServerStatus>> {
  return Object.fromEntries(host.servers().map((server) => [server.name, toStatus(server)]));
}

/** Maps a state to one of the five values. Any other state becomes `failed`, with an error that names the state. */
function toStatus({ state, because = "", attempt }: ServerView): ServerStatus {
  switch (state) {
    case "connected":
    case "disabled":
    case "needs_auth":
      return { status: state };
    case "needs_client_registration":
    case "failed":
      return { status: state, error: because };
    case "reconnecting":
      return { status: "failed", error: `reconnecting (attempt ${attempt}): ${because}` };
    case "untrusted":
    case "invalid":
    case "installing":
      return { status: "failed", error: `${state}: ${because}` };
    case "idle":
      return { status: "failed", error: "idle: it starts when it is used", idle: true };
    case "connecting":
      return { status: "failed", error: "connecting: it has not answered yet" };
  }
}
