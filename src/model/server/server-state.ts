import type { HostError } from "../host-error.ts";
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

/** The kind of a `ServerState`. */
export type ServerStateKind = (typeof SERVER_STATES)[number];

/** Information that a connected server reports about itself. Untrusted: use it for display only. */
export interface ServerFacts {
  /** The server's own name, which can differ from the configured name. */
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** The protocol revision of the connection. */
  readonly protocolVersion: string;
  /** Whether the protocol revision has a handshake (`legacy`) or not (`modern`). */
  readonly era: "legacy" | "modern";
  readonly transport: "stdio" | "http" | "sse";
  /** The names of the features that the server announced, such as `tools`. */
  readonly capabilities: readonly string[];
  /** The server's instructions for the model. */
  readonly instructions: string | undefined;
}

/** The current state of a server. */
export type ServerState =
  /** The server has not been started yet, or was stopped. It starts on next use. */
  | { readonly kind: "idle" }
  /** A package runner is installing the server's package. `elapsedMs` is updated every second. */
  | ({ readonly kind: "installing" } & Installation)
  | { readonly kind: "connecting" }
  | {
      /** The connection was lost and is being restored. */
      readonly kind: "reconnecting";
      /** The number of the attempt, starting at 1. */
      readonly attempt: number;
      /** When the next attempt starts (ms since 1970). `undefined` while an attempt is running. */
      readonly nextTryAt: number | undefined;
      /** Why the connection was lost. */
      readonly error: HostError;
    }
  | { readonly kind: "connected"; readonly facts: ServerFacts }
  /** The user must sign in. */
  | { readonly kind: "needs_auth"; readonly error: HostError }
  /** The user must register an OAuth client, because the server does not register clients itself. */
  | { readonly kind: "needs_client_registration"; readonly error: HostError }
  | { readonly kind: "failed"; readonly error: HostError }
  /** The user must approve the server. */
  | { readonly kind: "untrusted"; readonly because: string }
  | { readonly kind: "disabled"; readonly because: string }
  /** The server's entry is invalid. */
  | { readonly kind: "invalid"; readonly because: string };
