import type { NativeFileEdit } from "../../config/index.ts";
import { HostError } from "../../model/index.ts";
import { findLiteralSecrets } from "../../values/index.ts";
import { requiresApproval } from "../approvals/approve-server.ts";
import { recordedSandbox } from "../approvals/chosen-sandbox.ts";
import { findServer } from "../lifecycle/find-server.ts";
import type { Workspace } from "../workspace.ts";
import { addServer, type WrittenServer } from "./add-server.ts";
import { assertOwnParts } from "./carry-over.ts";
import { nativeFile, serverIn, serversKey, type WriteScope } from "./native-files.ts";
import { rootOfEntry } from "./rebase-paths.ts";

/** Moves a server between the project's native file and the user's. Either both files change or neither. */
export async function moveServer(
  workspace: Workspace,
  name: string,
  scope: WriteScope,
): Promise<WrittenServer> {
  const server = findServer(workspace, name);
  const { tool, scope: from, file } = server.provenance;
  if (tool !== "plugboard" || (from !== "project" && from !== "user")) {
    throw new HostError("CONFIG_NOT_FOUND", `Server "${name}" is not in Plugboard's own config.`, {
      server: name,
      hint: `It comes from ${file}. Import it first.`,
    });
  }
  if (from === scope) {
    throw new HostError("CONFIG_EXISTS", `Server "${name}" already exists in ${file}`, { server: name });
  }
  if (requiresApproval(server, workspace.inventory().approvals)) {
    throw new HostError(
      "INTERACTION_REQUIRED",
      `Server "${name}" needs your approval before you can move it to your own config.`,
      { server: name, reason: "trust", hint: "Review what it would run, then approve it." },
    );
  }
  await assertOwnParts(workspace, server, scope);
  const [secret] =
    scope === "project" ? findLiteralSecrets(server.declaration.fields, server.declaration.expansion) : [];
  if (secret !== undefined) {
    throw new HostError("CONFIG_INVALID", `${secret.field} of "${name}" is a secret in plain text.`, {
      server: name,
      hint: "A project's file is shared. Store the secret in the vault and write keychain:<name>, or write ${NAME}. Then move the server.",
    });
  }
  const removal: NativeFileEdit = {
    file: await nativeFile(workspace, from),
    decide: (root) =>
      serverIn(root, name) === undefined ? [] : [{ path: [serversKey(root), name], value: undefined }],
  };
  const sandbox = recordedSandbox(server, workspace.inventory().approvals);
  const entry = server.declaration.fields;
  return addServer(
    workspace,
    { name, server: sandbox === undefined ? entry : { ...entry, sandbox }, scope },
    { from: rootOfEntry(server, workspace.environment), isCarried: true, more: [removal] },
  );
}
