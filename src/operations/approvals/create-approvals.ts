import type { HostScope } from "../host-scope.ts";
import type { HostApprovals } from "./approvals-api.ts";
import { approveServer, describeApproval } from "./approve-server.ts";
import { listApprovals, revokeApproval } from "./revoke-approval.ts";

export function createApprovals({ workspace, whileOpen }: HostScope): HostApprovals {
  return {
    request: (server) => describeApproval(workspace, server),
    approve: (server, hash) => whileOpen(() => approveServer(workspace, server, hash)),
    list: () => listApprovals(workspace),
    revoke: (server) => whileOpen(() => revokeApproval(workspace, server)),
    inspect: async (server) => (await import("./inspect-launch.lazy.ts")).inspectLaunch(workspace, server),
  };
}
