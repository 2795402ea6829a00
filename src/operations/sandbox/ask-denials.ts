import { isHostError, messageOf, type SandboxDenial, singleFlight } from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";
import { chooseSandbox, proposeSandbox } from "./choose-sandbox.ts";
import { isSensitive, UNKNOWN_HOST } from "./record-denials.ts";

/**
 * Asks a person once about each thing that a server's sandbox refused. An answer that allows it becomes part of the sandbox and of its
 * hash. Returns whether anything was allowed; the server then restarts at its next use. Operations that wait for the same
 * server share the questions.
 */
export async function askAboutDenials(
  workspace: Workspace,
  server: string,
  denials: Iterable<SandboxDenial>,
): Promise<boolean> {
  const { onSandboxDenied, answeredDenials, denials: asking } = workspace.people;
  if (onSandboxDenied === undefined) return false;
  let isAllowed = false;
  for (const denial of denials) {
    const key = [server, denial.kind, denial.target].join("\0");
    if (denial.target === UNKNOWN_HOST || answeredDenials.has(key)) continue;
    const answer = await singleFlight(asking, key, async () => {
      const choice = await proposeSandbox(workspace, server, [denial]);
      const isYes = await onSandboxDenied({ server, denial, isSensitive: isSensitive(denial), choice });
      answeredDenials.add(key);
      if (isYes) await chooseSandbox(workspace, server, choice);
      return isYes;
    }).catch((error: unknown) => {
      answeredDenials.add(key);
      if (!isHostError(error)) throw error;
      workspace.ports.log.log("warn", "sandbox.unchanged", { server, error: messageOf(error) });
      return false;
    });
    isAllowed ||= answer;
  }
  return isAllowed;
}

/** Asks without making anyone wait for the answer. */
export function askInBackground(
  workspace: Workspace,
  server: string,
  denials: readonly SandboxDenial[],
): void {
  askAboutDenials(workspace, server, denials).catch((error: unknown) =>
    workspace.ports.log.log("error", "listener.failed", { error: messageOf(error) }),
  );
}
