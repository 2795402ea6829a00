import { canonicalJson, type ServerEntry } from "../../model/index.ts";
import { approvalOf } from "../../policy/index.ts";
import { missingSandbox } from "../sandbox/missing-sandbox.ts";
import { describeSandbox, WITH_NETWORK } from "../sandbox/offered-sandboxes.ts";
import type { SandboxChoice } from "../sandbox/sandbox-api.ts";
import type { Workspace } from "../workspace.ts";
import { mayChoose, withSandbox } from "./chosen-sandbox.ts";

/** What requires a server's sandbox: its entry, the settings, or a person who chose it. */
export type SandboxSource = "entry" | "settings" | "choice";

/** Returns the sandboxes that a person can choose from, the preselected one first. None if there is nothing to choose. */
export async function sandboxChoices(
  { inventory, environment, ports }: Workspace,
  entry: ServerEntry,
): Promise<readonly (Omit<SandboxChoice, "hash"> & { readonly entry: ServerEntry })[]> {
  const { settings, approvals } = inventory();
  const chosen = approvalOf(approvals, entry.provenance.file, entry.name)?.sandbox;
  if (!mayChoose(entry) || (settings.sandbox !== undefined && chosen === undefined)) return [];
  if ((await missingSandbox(environment, ports)) !== undefined) return [];
  const offered = [...(chosen === undefined ? [] : [chosen]), true, WITH_NETWORK, false];
  const distinct = new Map(offered.map((sandbox) => [canonicalJson(sandbox), sandbox]));
  return [...distinct.values()].map((sandbox) => {
    const variant = withSandbox(entry, sandbox);
    return { sandbox, access: describeSandbox(sandbox, environment.home), entry: variant };
  });
}

/** Returns what requires the sandbox of an entry. */
export function sandboxSource({ inventory }: Workspace, entry: ServerEntry): SandboxSource {
  if (entry.defaultSandbox === undefined) return "entry";
  const { sandbox } = approvalOf(inventory().approvals, entry.provenance.file, entry.name) ?? {};
  return sandbox === undefined ? "settings" : "choice";
}
