import {
  HostError,
  type JsonValue,
  type SandboxDenial,
  type ServerEntry,
  shellWord,
} from "../../model/index.ts";
import { describeProfile, extendSandbox, parseSandbox } from "../../sandbox/index.ts";
import { approvalFor, entryToApprove } from "../approvals/approve-server.ts";
import { mayChoose, withSandbox } from "../approvals/chosen-sandbox.ts";
import { approvalHashWithEnvFile, showEnvFile } from "../approvals/env-files.ts";
import { findServer } from "../lifecycle/find-server.ts";
import type { Workspace } from "../workspace.ts";
import type { SandboxChoice } from "./sandbox-api.ts";

/** Returns the server's sandbox as it is written: in its entry, as a person chose it, or in the settings. */
export function currentSandbox({ declaration, defaultSandbox }: ServerEntry): JsonValue {
  return declaration.fields["sandbox"] ?? defaultSandbox ?? false;
}

/** Returns the server's sandbox, extended so that it also allows these. */
export async function proposeSandbox(
  workspace: Workspace,
  name: string,
  denials: readonly SandboxDenial[],
): Promise<SandboxChoice> {
  const entry = entryToApprove(workspace, findServer(workspace, name));
  const current = currentSandbox(entry);
  if (current === false) throw notSandboxed(name);
  const { ports, environment } = workspace;
  const home = environment.home === undefined ? undefined : await ports.files.realPath(environment.home);
  return describeSandbox(workspace, entry, extendSandbox(current, denials, home));
}

async function describeSandbox(
  workspace: Workspace,
  entry: ServerEntry,
  sandbox: JsonValue,
): Promise<SandboxChoice> {
  const parsed = parseSandbox(sandbox);
  if ("problem" in parsed)
    throw new HostError("CONFIG_INVALID", `Invalid server config: ${parsed.problem}`, { server: entry.name });
  const hash = approvalHashWithEnvFile(
    workspace,
    variantOf(entry, sandbox),
    await showEnvFile(workspace, entry),
  );
  const access =
    parsed.profile === undefined
      ? "can do everything that you can"
      : describeProfile(parsed.profile, workspace.environment.home);
  return { sandbox, access, hash };
}

/** Returns the entry as it would be with a sandbox. */
function variantOf(entry: ServerEntry, sandbox: JsonValue): ServerEntry {
  if (mayChoose(entry)) return withSandbox(entry, sandbox);
  const { declaration } = entry;
  const { fields, entry: written = fields } = declaration;
  return {
    ...entry,
    declaration: { ...declaration, fields: { ...fields, sandbox }, entry: { ...written, sandbox } },
  };
}

/** Runs a server in this sandbox from now on. The hash must be that of the server with this sandbox. */
export async function chooseSandbox(
  workspace: Workspace,
  name: string,
  { sandbox, hash }: Pick<SandboxChoice, "sandbox" | "hash">,
): Promise<void> {
  const server = findServer(workspace, name);
  const entry = entryToApprove(workspace, server);
  const { launch, declaration, provenance } = entry;
  if (launch?.transport !== "stdio" || launch.wrap !== undefined || provenance.scope === "program")
    throw new HostError("USAGE_INVALID", `The sandbox of "${name}" cannot be chosen.`, {
      server: name,
      hint: "Only local servers of config files, without their own wrapper, have a sandbox to choose.",
    });
  const expected = await describeSandbox(workspace, entry, sandbox);
  if (expected.hash !== hash)
    throw new HostError(
      "POLICY_HASH_MISMATCH",
      `Server "${name}" with this sandbox is not what was reviewed: its hash is ${expected.hash}.`,
      { server: name, hint: "Review it again, then approve the new hash." },
    );
  if (declaration.fields["sandbox"] === undefined) {
    await workspace.stores.approvals.add([
      await approvalFor(workspace, entry, { entry: withSandbox(entry, sandbox), sandbox }),
    ]);
    await workspace.reload();
  } else {
    const { editServer } = await import("../native-files/edit-server.lazy.ts");
    await editServer(workspace, { name, changes: [{ path: ["sandbox"], value: sandbox }] });
  }
  workspace.values.denials.delete(name);
}

function notSandboxed(server: string): HostError {
  return new HostError("USAGE_INVALID", `Server "${server}" does not run in a sandbox of Plugboard.`, {
    server,
    hint: `To run a local server in one: plugboard trust ${shellWord(server)} --sandbox on`,
  });
}

/** Throws if a server does not run in a sandbox. */
export function assertSandboxed(entry: ServerEntry): void {
  if (entry.launch?.transport !== "stdio" || entry.launch.sandbox === undefined)
    throw notSandboxed(entry.name);
}
