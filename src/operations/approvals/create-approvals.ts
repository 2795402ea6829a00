import type { HostScope } from "../host-scope.ts";
import { unlessCancelled } from "../lifecycle/on-server.ts";
import { allowCall, listAllowedCalls, revokeAllowedCalls } from "./allowed-calls.ts";
import type { HostApprovals } from "./approvals-api.ts";
import { approveServer, describeApproval } from "./approve-server.ts";
import { listApprovals, revokeApproval } from "./revoke-approval.ts";

export function createApprovals({ workspace, whileOpen }: HostScope): HostApprovals {
  return {
    request: (server) => describeApproval(workspace, server),
    approve: (server, hash, options) => whileOpen(() => approveServer(workspace, server, hash), options),
    list: () => listApprovals(workspace),
    revoke: (server, options) => whileOpen(() => revokeApproval(workspace, server), options),
    inspect: (server, { signal } = {}) =>
      unlessCancelled(signal, async () =>
        (await import("./inspect-launch.lazy.ts")).inspectLaunch(workspace, server),
      ),
    allowCall: (server, tool, hash, options) =>
      whileOpen(() => allowCall(workspace, server, tool, hash), options),
    allowedCalls: (options) => whileOpen(() => listAllowedCalls(workspace), options),
    revokeCalls: (server, tool, options) =>
      whileOpen(() => revokeAllowedCalls(workspace, server, tool), options),
  };
}
