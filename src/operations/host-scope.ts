import type { Workspace } from "./workspace.ts";

/** What the host's methods run in. */
export interface HostScope {
  readonly workspace: Workspace;
  /** Runs an operation unless the host is closed. Removes secrets from its errors. */
  whileOpen<T>(operation: () => Promise<T>): Promise<T>;
}
