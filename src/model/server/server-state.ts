import type { HostError } from "../host-error.ts";
import type { Installation } from "./installation.ts";

/** Where a server is in its life. Pinned by a test. */
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

export type ServerStateKind = (typeof SERVER_STATES)[number];

/** What the other end said of itself. Untrusted: for display only. */
export interface ServerFacts {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly protocolVersion: string;
  readonly era: "legacy" | "modern";
  readonly transport: "stdio" | "http" | "sse";
  readonly capabilities: readonly string[];
  readonly instructions: string | undefined;
}

/** Where a server is in its life, with what is known of it there. */
export type ServerState =
  | { readonly kind: "idle" }
  /** Its package is installed before it is started. `elapsedMs` is updated every second. */
  | ({ readonly kind: "installing" } & Installation)
  | { readonly kind: "connecting" }
  | {
      /** It was connected and the connection was lost. */
      readonly kind: "reconnecting";
      /** The number of the restart, from 1. */
      readonly attempt: number;
      /** When it will be tried, in milliseconds since 1970; `undefined` while it is being tried. */
      readonly nextTryAt: number | undefined;
      /** Why it is restarted. */
      readonly error: HostError;
    }
  | { readonly kind: "connected"; readonly facts: ServerFacts }
  | { readonly kind: "needs_auth"; readonly error: HostError }
  | { readonly kind: "needs_client_registration"; readonly error: HostError }
  | { readonly kind: "failed"; readonly error: HostError }
  | { readonly kind: "untrusted"; readonly because: string }
  | { readonly kind: "disabled"; readonly because: string }
  | { readonly kind: "invalid"; readonly because: string };
