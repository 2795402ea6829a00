import { describeInstallation } from "./installation.ts";
import type { ServerState } from "./server-state.ts";

/** A server's state in the five words of OpenCode. */
export type ServerStatus =
  | { readonly status: "connected" }
  | { readonly status: "disabled" }
  | { readonly status: "needs_auth" }
  | { readonly status: "needs_client_registration"; readonly error: string }
  /** `idle`: nothing is wrong, the server was not used yet. */
  | { readonly status: "failed"; readonly error: string; readonly idle?: true };

/** Whatever is none of the five is `failed`, with an error that names the state. */
export function statusOf(state: ServerState): ServerStatus {
  switch (state.kind) {
    case "connected":
    case "disabled":
    case "needs_auth":
      return { status: state.kind };
    case "needs_client_registration":
      return { status: state.kind, error: state.error.message };
    case "failed":
      return { status: "failed", error: state.error.message };
    case "reconnecting":
      return { status: "failed", error: `reconnecting (attempt ${state.attempt}): ${state.error.message}` };
    case "untrusted":
    case "invalid":
      return { status: "failed", error: `${state.kind}: ${state.because}` };
    case "idle":
      return { status: "failed", error: "idle: it starts when it is used", idle: true };
    case "installing":
      return { status: "failed", error: `installing: ${describeInstallation(state)}` };
    case "connecting":
      return { status: "failed", error: "connecting: it has not answered yet" };
  }
}
