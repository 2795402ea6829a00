import type { HostErrorCode } from "../host-error.ts";
import type { Installation } from "./installation.ts";

/** All server states. A test pins them. */
export const SERVER_STATES = [
  "idle",
  "installing",
  "connecting",
  "connected",
  "reconnecting",
  "needs_auth",
  "needs_client_registration",
  "untrusted",
  "failed",
  "disabled",
  "invalid",
] as const;

/** The name of a server's state. */
export type ServerStateKind = (typeof SERVER_STATES)[number];

/** Information that a connected server reports about itself. Untrusted: use it for display only. */
export interface ServerFacts {
  /** The server's own name, which can differ from the configured name. */
  readonly name: string | undefined;
  /** The server's own version. */
  readonly version: string | undefined;
  /** The protocol revision of the connection. */
  readonly protocolVersion: string;
  /** Whether the protocol revision has a handshake (`legacy`) or not (`modern`). */
  readonly era: "legacy" | "modern";
  /** How the server is connected. */
  readonly transport: "stdio" | "http" | "sse" | "in-process";
  /** The names of the features that the server announced, such as `tools`. */
  readonly capabilities: readonly string[];
  /** The server's instructions for the model. */
  readonly instructions: string | undefined;
}

/** The details of a server's state. `state` determines which of them are present. */
export interface ServerStateDetails {
  /** Why the server is in this state, if it cannot be used at the moment. */
  readonly because?: string;
  /** The code of the last error, if the server failed, reconnects or needs a sign-in. */
  readonly errorCode?: HostErrorCode;
  /** How to resolve the error. */
  readonly hint?: string;
  /** The progress of the package installation, while one is running. Updated every second. */
  readonly installing?: Installation;
  /** The number of the reconnection attempt, starting at 1, while the server reconnects. */
  readonly attempt?: number;
  /** When the next reconnection attempt starts, as an ISO 8601 date and time. Absent while an attempt is running. */
  readonly nextTry?: string;
  /** What the server reported about itself, while it is connected. */
  readonly facts?: ServerFacts;
}

/**
 * The state of a server, with its details. A `ServerView` and the event `server.state` both have these fields. After a check of
 * `state`, the details of that state are known to be present.
 */
export type ServerState = ServerStateDetails &
  (
    | {
        /** `idle`: the server has not been started yet, or was stopped. It starts on next use. */
        readonly state: "idle" | "connecting";
      }
    | { readonly state: "connected"; readonly facts: ServerFacts }
    | {
        /** A package runner is installing the server's package. */
        readonly state: "installing";
        readonly because: string;
        readonly installing: Installation;
      }
    | {
        /** The connection was lost and is being restored. */
        readonly state: "reconnecting";
        readonly because: string;
        readonly errorCode: HostErrorCode;
        readonly attempt: number;
      }
    | {
        /** `needs_auth`: the user must sign in. `needs_client_registration`: the user must register an OAuth client. */
        readonly state: "failed" | "needs_auth" | "needs_client_registration";
        readonly because: string;
        readonly errorCode: HostErrorCode;
      }
    | {
        /** `untrusted`: the user must approve the server. `invalid`: its entry is invalid. */
        readonly state: "untrusted" | "disabled" | "invalid";
        readonly because: string;
      }
  );
