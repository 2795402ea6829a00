import { HostError, type HostErrorCode, isHostError, type Problem, type Server } from "../../model/index.ts";
import { approvalStatus } from "../../policy/index.ts";
import type { ResolveContext } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";

/** What a server's values are filled in from. A project that is trusted for one run gets neither commands nor stored secrets. */
export function valueContext(workspace: Workspace, server: Server): ResolveContext {
  const { environment, ports, valueSources } = workspace;
  const sources = mayHaveSecrets(workspace, server) ? valueSources : undefined;
  return { environment, files: ports.files, sources };
}

/** The person's own, or approved as it is: to be trusted for one run is not enough. */
export function mayHaveSecrets({ inventory }: Workspace, server: Server): boolean {
  const { kind } = approvalStatus(server, inventory().approvals);
  return kind === "notNeeded" || kind === "approved";
}

/** Failures that have nothing to do with values. */
const OTHER_FAILURES: readonly HostErrorCode[] = [
  "CONNECT_UNREACHABLE",
  "CONNECT_COMMAND_NOT_FOUND",
  "CANCELLED",
];

/** A refusal or a failed start after something was left out: that is the first thing to look at. */
export function withUnresolvedValues(error: unknown, problems: readonly Problem[]): unknown {
  if (!isHostError(error) || problems.length === 0 || OTHER_FAILURES.includes(error.code)) return error;
  const { code, message, server, reason, account, rpcCode, cause } = error;
  const causes = problems.map(({ message: said }) => `- ${said}`).join("\n");
  const hint = `${error.hint === undefined ? "" : `${error.hint}\n`}It went without some values, which may be why:\n${causes}`;
  return new HostError(code, message, { server, hint, reason, account, rpcCode, cause: cause ?? error });
}
