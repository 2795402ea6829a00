import { HostError, type HostErrorCode, isHostError, type Problem, type Server } from "../../model/index.ts";
import { approvalStatus } from "../../policy/index.ts";
import type { ResolveContext } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";

/** Returns the sources of a server's values. A project that is trusted only for this run gets no commands and no stored secrets. */
export function valueContext(workspace: Workspace, server: Server): ResolveContext {
  const { environment, ports, values } = workspace;
  const sources = mayHaveSecrets(workspace, server) ? values.sources : undefined;
  return { environment, files: ports.files, sources };
}

/** Returns whether a server is the user's own or approved. Trust for one run is not enough. */
export function mayHaveSecrets({ inventory }: Workspace, server: Server): boolean {
  const { kind } = approvalStatus(server, inventory().approvals);
  return kind === "notNeeded" || kind === "approved";
}

/** Failures that missing values cannot cause. */
const OTHER_FAILURES: readonly HostErrorCode[] = [
  "CONNECT_UNREACHABLE",
  "CONNECT_COMMAND_NOT_FOUND",
  "CANCELLED",
];

/** Adds the missing values to the hint of a failed start, because they are the most likely cause. */
export function withUnresolvedValues(error: unknown, problems: readonly Problem[]): unknown {
  if (!isHostError(error) || problems.length === 0 || OTHER_FAILURES.includes(error.code)) return error;
  const { code, message, server, reason, account, rpcCode, cause } = error;
  const causes = problems.map(({ message: cause }) => `- ${cause}`).join("\n");
  const hint = `${error.hint === undefined ? "" : `${error.hint}\n`}These values were missing, which may be the cause:\n${causes}`;
  return new HostError(code, message, { server, hint, reason, account, rpcCode, cause: cause ?? error });
}
