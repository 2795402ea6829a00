import { createHash } from "node:crypto";
import type { ServerEntry } from "../../model/index.ts";
import {
  approvalHash,
  type EnvFileNames,
  isLaunchApproved,
  requestHash,
  withEnvFile,
} from "../../policy/index.ts";
import { type EnvFile, envFilePath } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";
import { namesIn, readEntryEnvFile } from "./entry-env-file.ts";
import { isNetworkPath } from "./network-path.ts";

/** Returns the `envFile` to show to a person. Remembers its variables, so that approval does not cover variables added later. */
export async function showEnvFile(
  workspace: Workspace,
  entry: ServerEntry,
): Promise<(EnvFileNames & { readonly path: string }) | undefined> {
  const { launch } = entry;
  const file = launch?.transport === "stdio" ? envFilePath(entry, launch, workspace.environment) : undefined;
  if (file === undefined) return undefined;
  // Reading a network path contacts another machine, which requires approval. Its variables are approved afterwards.
  const isUnread = isNetworkPath(file.path) && !isLaunchApproved(entry, workspace.inventory().approvals);
  const read = isUnread ? undefined : await readEntryEnvFile(workspace, entry);
  const names = read === undefined ? { found: false, names: [] } : namesIn(read);
  workspace.people.shownEnvFiles.set(shownKey(entry), names);
  return { path: file.shown, ...names };
}

/** Returns the variables that an approval covers: those that were shown, or else the current ones. */
export async function approvedEnvFile(
  workspace: Workspace,
  entry: ServerEntry,
): Promise<EnvFileNames | undefined> {
  const key = shownKey(entry);
  const shown = workspace.people.shownEnvFiles.get(key);
  workspace.people.shownEnvFiles.delete(key);
  if (shown !== undefined) return shown;
  const read = await readEntryEnvFile(workspace, entry);
  return read && namesIn(read);
}

/** Returns the hash of a launch together with its `envFile` variables. Approving the hash covers only these variables. */
export function approvalHashWithEnvFile(
  { inventory }: Pick<Workspace, "inventory">,
  entry: ServerEntry,
  envFile: EnvFileNames | undefined,
): string {
  const launch = requestHash(entry, inventory().approvals);
  if (envFile === undefined) return launch;
  const { found, names } = envFile;
  return createHash("sha256")
    .update(JSON.stringify([launch, found, names]))
    .digest("hex");
}

function shownKey(entry: ServerEntry): string {
  return [entry.provenance.file, entry.name, approvalHash(entry)].join("\0");
}

/** Returns a workspace whose approvals are checked against the `envFile` that was read for this launch. */
export function withCurrentEnvFile(
  workspace: Workspace,
  entry: ServerEntry,
  read: EnvFile | undefined,
): Workspace {
  if (read === undefined) return workspace;
  const inventory = workspace.inventory();
  const approvals = withEnvFile(inventory.approvals, entry, namesIn(read));
  return { ...workspace, inventory: () => ({ ...inventory, approvals }) };
}
