/** A server's status in OpenCode's five values. */
export type ServerStatus =
  | { readonly status: "connected" }
  | { readonly status: "disabled" }
  | { readonly status: "needs_auth" }
  | { readonly status: "needs_client_registration"; readonly error: string }
  /** If `idle` is set, nothing is wrong: the server has not been used yet. */
  | { readonly status: "failed"; readonly error: string; readonly idle?: true };
