import {
  canonicalJson,
  HostError,
  type JsonValue,
  type Server,
  type ServerEntry,
} from "../../model/index.ts";
import {
  type ApprovalRequest,
  approvalOf,
  approvalRequest,
  approvalStatus,
  type EnvFileNames,
  type GivenApproval,
  toApproval,
} from "../../policy/index.ts";
import type { Approval } from "../../state/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import type { Workspace } from "../workspace.ts";
import { approvalHashWithEnvFile, approvedEnvFile, showEnvFile } from "./env-files.ts";
import { sandboxChoices } from "./sandbox-choices.ts";

/** Returns what approving a server would allow. */
export function describeApproval(workspace: Workspace, name: string): ApprovalRequest {
  return approvalRequest(
    entryToApprove(workspace, findServer(workspace, name)),
    workspace.inventory().approvals,
  );
}

/** Records approval of the launch with this hash. Rejects if the launch has another hash. */
export async function approveServer(
  workspace: Workspace,
  name: string,
  hash: string,
): Promise<ApprovalRequest> {
  const request = describeApproval(workspace, name);
  if (request.status === "notNeeded") {
    throw new HostError("POLICY_NOT_NEEDED", `Server "${name}" is your own and does not need approval.`, {
      server: name,
    });
  }
  const entry = entryToApprove(workspace, findServer(workspace, name));
  const choices = await sandboxChoices(workspace, entry);
  const variants: readonly Variant[] = [{ entry }, ...choices];
  const find = (envFile: EnvFileNames | undefined): Variant | undefined =>
    variants.find((each) => hash === approvalHashWithEnvFile(workspace, each.entry, envFile));
  const approved = find(undefined) ?? find(await showEnvFile(workspace, entry));
  if (approved === undefined) {
    const envFile = await showEnvFile(workspace, entry);
    const { entry: preselected } = choices[0] ?? { entry };
    throw new HostError(
      "POLICY_HASH_MISMATCH",
      `Server "${name}" is not the launch that was reviewed: its hash is ${approvalHashWithEnvFile(workspace, preselected, envFile)}.`,
      {
        server: name,
        hint: "Review it again, then approve the new hash.",
      },
    );
  }
  await workspace.stores.approvals.add([
    ...upgradeApprovals(workspace),
    await approvalFor(workspace, entry, approved),
  ]);
  await workspace.reload();
  return { ...request, status: "approved", changes: [] };
}

/** Returns the approval request to show to a person, including the `envFile` variables. */
export async function requestWithEnvFile(workspace: Workspace, name: string): Promise<ApprovalRequest> {
  const request = describeApproval(workspace, name);
  const envFile = await showEnvFile(workspace, entryToApprove(workspace, findServer(workspace, name)));
  return { ...request, ...(envFile && { envFile: { found: envFile.found, names: envFile.names } }) };
}

/** An entry as it would run, and the sandbox that a person chose for it. */
interface Variant {
  readonly entry: ServerEntry;
  readonly sandbox?: JsonValue;
}

/** Creates an approval of an entry, of its `envFile` variables and, if a person chose one, of its sandbox. */
export async function approvalFor(
  workspace: Workspace,
  entry: ServerEntry,
  { entry: variant, sandbox = currentChoice(workspace, entry) }: Variant = { entry },
): Promise<Approval> {
  const approvedAt = new Date(workspace.ports.clock.now()).toISOString();
  const envFile = await approvedEnvFile(workspace, entry);
  const given = approvalOf(workspace.inventory().approvals, entry.provenance.file, entry.name);
  const approval = toApproval(variant, approvedAt, {
    ...(envFile !== undefined && { envFile }),
    ...(sandbox !== undefined && sandbox !== false && { sandbox }),
  });
  const installed = given?.packageNow ?? (runsSameProgram(given, approval) ? given?.package : undefined);
  return { ...approval, ...(installed !== undefined && { package: installed }) };
}

/** Fields that name the program, in the formats of all tools. */
const PROGRAM_FIELDS = ["command", "cmd", "args", "wrap", "transport"];

/** Returns whether an approval is for the same command line as another one. Then it is also for the same package. */
function runsSameProgram(given: GivenApproval | undefined, { fields }: GivenApproval): boolean {
  return PROGRAM_FIELDS.every(
    (key) => canonicalJson(given?.fields[key] ?? null) === canonicalJson(fields[key] ?? null),
  );
}

/** Returns the sandbox that a person chose earlier. */
function currentChoice({ inventory }: Workspace, { provenance, name }: ServerEntry): JsonValue | undefined {
  return approvalOf(inventory().approvals, provenance.file, name)?.sandbox;
}

/** Converts valid approvals from the older file version. Those do not cover an `envFile`. */
function upgradeApprovals({ inventory }: Workspace): Approval[] {
  const { servers, approvals } = inventory();
  const entries = [...servers.values()].flatMap((server): ServerEntry[] => [server, ...server.shadowed]);
  return entries.flatMap((entry): Approval[] => {
    const before = approvalOf(approvals, entry.provenance.file, entry.name);
    const isUpgraded = before?.version === 1 && approvalStatus(entry, approvals).kind === "approved";
    return isUpgraded ? [toApproval(entry, before.approvedAt ?? "")] : [];
  });
}

/** Returns the entry that needs approval. It may be a project's entry shadowed by a user's entry of the same name. */
export function entryToApprove({ inventory }: Workspace, server: Server): ServerEntry {
  const { approvals } = inventory();
  return [server, ...server.shadowed].find((entry) => requiresApproval(entry, approvals)) ?? server;
}

/** Returns whether a project's entry needs approval. */
export function requiresApproval(entry: ServerEntry, approvals: readonly GivenApproval[]): boolean {
  return ["missing", "changed"].includes(approvalStatus(entry, approvals).kind);
}
