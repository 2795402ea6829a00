import type { WaitOptions } from "../../model/index.ts";
import type { ApprovalRequest } from "../../policy/index.ts";
import type { AllowedCallView } from "./allowed-calls.ts";
import type { LaunchInspection } from "./inspect-launch.lazy.ts";
import type { ApprovalView } from "./revoke-approval.ts";

/** Approvals: which launches of a project's servers, and which calls, a person has allowed. */
export interface HostApprovals {
  /** Returns what approving the server would allow, for a person to review. */
  request(server: string): ApprovalRequest;
  /**
   * Records approval of the launch with this hash, and the variable names in its `envFile`. Rejects with
   * `POLICY_HASH_MISMATCH` if the launch has changed since the hash was shown.
   */
  approve(server: string, hash: string, options?: WaitOptions): Promise<ApprovalRequest>;
  /** Returns all recorded approvals. */
  list(): ApprovalView[];
  /** Removes the approval of a server and closes its connection. Its next use requires approval again. */
  revoke(server: string, options?: WaitOptions): Promise<ApprovalView[]>;
  /** Returns what the launch would run and read on this machine, and which secrets it would receive. Runs nothing. */
  inspect(server: string, options?: WaitOptions): Promise<LaunchInspection>;
  /**
   * Allows all calls to a tool that would require approval. Calls require approval again if the server's entry or the tool's
   * definition changes. Rejects with `POLICY_HASH_MISMATCH` if the definition does not have this hash.
   */
  allowCall(server: string, tool: string, hash: string, options?: WaitOptions): Promise<AllowedCallView>;
  /** Returns all tools that are always allowed. */
  allowedCalls(options?: WaitOptions): Promise<AllowedCallView[]>;
  /** Makes calls to the tool, or to all tools of the server, require approval again. Returns what it removed. */
  revokeCalls(server: string, tool?: string, options?: WaitOptions): Promise<AllowedCallView[]>;
}
