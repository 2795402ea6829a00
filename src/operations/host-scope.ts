import type { WaitOptions } from "../model/index.ts";
import type { Workspace } from "./workspace.ts";

/** The context that the host's methods run in. */
export interface HostScope {
  /** The modules and state that operations use. */
  readonly workspace: Workspace;
  /** Runs an operation unless the host is closed. Rejects when the signal fires. Removes secrets from its errors. */
  whileOpen<T>(operation: () => Promise<T>, options?: WaitOptions): Promise<T>;
}
