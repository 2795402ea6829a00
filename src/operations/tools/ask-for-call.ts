import { type CallRequest, HostError } from "../../model/index.ts";
import { withEitherSignal } from "../lifecycle/either-signal.ts";
import { unlessClosed } from "../lifecycle/on-server.ts";
import type { Workspace } from "../workspace.ts";

/** Asks a person to approve this call. Throws if it is not approved. */
export async function askForCall(
  workspace: Workspace,
  request: CallRequest,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { onCall } = workspace.people;
  const { server, tool, rule } = request;
  const ask = () =>
    withEitherSignal(workspace, signal, async (either) => onCall?.(request, { signal: either }));
  if ((await unlessClosed(workspace, ask)) === true) return;
  const what = onCall === undefined ? "needs your approval" : "was not approved";
  throw new HostError("INTERACTION_REQUIRED", `The call to "${tool}" of "${server}" ${what}: ${rule}.`, {
    server,
    reason: "call",
  });
}
