import type { HostError, Installation, ServerFacts } from "../model/index.ts";

/** The state of a server's connection, as the supervisor knows it. */
export type ConnectionState =
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
  | { readonly kind: "needs_auth" | "needs_client_registration" | "failed"; readonly error: HostError };
