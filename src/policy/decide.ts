import type { Decision, Server } from "../model/index.ts";
import { approvalStatus, type GivenApproval } from "./approval.ts";

export interface Trust {
  readonly approvals: readonly GivenApproval[];
  /** Whether the user trusts the whole project for this run. */
  readonly trustProject: boolean;
}

/** Decides whether this server may be started or connected to. */
export function decideServer(server: Server, { approvals, trustProject }: Trust): Decision {
  if (server.launch === undefined) {
    const problem = server.problems.find(({ severity }) => severity === "error");
    return { allowed: false, reason: "invalid", because: problem?.message ?? "its entry is invalid" };
  }
  if (!server.enabled) return { allowed: false, reason: "disabled", because: server.enabledBy };
  const status = approvalStatus(server, approvals);
  switch (status.kind) {
    case "notNeeded":
      return { allowed: true, because: ownerReason(server) };
    case "approved":
      return { allowed: true, because: "you approved it" };
    case "missing":
    case "changed":
      if (trustProject) return { allowed: true, because: "the project is trusted for this run" };
      return {
        allowed: false,
        reason: "untrusted",
        because: status.kind === "changed" ? status.because : missingApprovalReason(server),
      };
  }
}

function ownerReason({ provenance: { tier } }: Server): string {
  return tier === "managed" ? "your administrator defined the server" : "it is your own server";
}

/** A user's or managed file is treated as a project's if others could have written it. */
function missingApprovalReason({ provenance: { scope } }: Server): string {
  return scope === "user" || scope === "managed"
    ? "its file is not treated as your own, and you have not approved it yet"
    : "defined by this project; not approved yet";
}
