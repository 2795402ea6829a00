import { HostError, isJsonObject, type Server, singleFlight } from "../../model/index.ts";
import { approveServer, requestWithEnvFile } from "../approvals/approve-server.ts";
import { readEntryEnvFile } from "../approvals/entry-env-file.ts";
import { withCurrentEnvFile } from "../approvals/env-files.ts";
import { decide, type Workspace } from "../workspace.ts";
import { askInputs } from "./ask-inputs.ts";
import { findServer } from "./find-server.ts";

/** Returns a server that may run. If it needs approval and a person can be asked, asks first. Otherwise throws. */
export async function useServer(workspace: Workspace, name: string): Promise<Server> {
  if (await hasNewEnvFile(workspace, findServer(workspace, name))) await workspace.reload();
  const server = findServer(workspace, name);
  const decision = decide(workspace, server);
  if (!decision.allowed && decision.reason === "untrusted") await askOnce(workspace, name);
  const permitted = decision.allowed ? server : assertPermitted(workspace, name);
  await askInputs(workspace, permitted);
  return permitted;
}

/** Returns whether a changed `envFile` requires approval again. A running server keeps its variables, so it is not checked. */
async function hasNewEnvFile(workspace: Workspace, server: Server): Promise<boolean> {
  if (server.provenance.tier !== "project" || !decide(workspace, server).allowed) return false;
  if (workspace.supervisor.state(server.name)?.kind === "connected") return false;
  const read = await readEntryEnvFile(workspace, server);
  return !decide(withCurrentEnvFile(workspace, server, read), server).allowed;
}

/** Asks a person to approve a server, if possible. Operations that wait for the same server share one question. */
function askOnce(workspace: Workspace, name: string): Promise<void> {
  const { onApproval, approvals } = workspace.people;
  if (onApproval === undefined) return Promise.resolve();
  const answer = async (): Promise<void> => {
    const request = await requestWithEnvFile(workspace, name);
    const hash = approvedHash(await onApproval(request), request.hash);
    if (hash !== undefined) await approveServer(workspace, name, hash);
  };
  return singleFlight(approvals, name, answer);
}

/** Returns the hash of the launch that a person approved. A handler that returns nothing, as JavaScript allows, approves nothing. */
function approvedHash(answer: unknown, requested: string): string | undefined {
  if (answer === true) return requested;
  return isJsonObject(answer) && typeof answer["hash"] === "string" ? answer["hash"] : undefined;
}

/** Returns a server that may run now. Throws if it may not. Never asks a person. */
export function assertPermitted(workspace: Workspace, name: string): Server {
  const server = findServer(workspace, name);
  const refusal = refusalOf(workspace, server);
  if (refusal === undefined) return server;
  if (refusal.reason === "trust")
    workspace.events.publish({ type: "input.needed", server: name, reason: "trust" });
  throw refusal;
}

/** Returns why a server may not run; `undefined` if it may. */
export function refusalOf(workspace: Workspace, server: Server): HostError | undefined {
  const { name } = server;
  const decision = decide(workspace, server);
  if (decision.allowed) return undefined;
  switch (decision.reason) {
    case "invalid":
      return new HostError("SERVER_INVALID", `Server "${name}" cannot be used: ${decision.because}`, {
        server: name,
        hint: "Correct its entry.",
      });
    case "disabled":
      return new HostError("SERVER_DISABLED", `Server "${name}" is disabled.`, {
        server: name,
        hint: `It is disabled by ${decision.because}.`,
      });
    case "untrusted":
      return new HostError(
        "INTERACTION_REQUIRED",
        `Server "${name}" needs your approval: ${decision.because}.`,
        {
          server: name,
          reason: "trust",
          hint: "Review what it would run, then approve it.",
        },
      );
  }
}
