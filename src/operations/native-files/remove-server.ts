import { editNativeFile } from "../../config/index.ts";
import { describePlace, HostError } from "../../model/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { pathExists } from "../path-exists.ts";
import type { Workspace } from "../workspace.ts";
import type { WrittenServer } from "./add-server.ts";
import { nativeFile, serverIn, serversKey, type WriteScope } from "./native-files.ts";

/** Removes a server from the native file of a scope. Without a scope, tries the project's file and then the user's. */
export async function removeServer(
  workspace: Workspace,
  name: string,
  scope?: WriteScope,
): Promise<WrittenServer> {
  for (const candidate of scope === undefined ? (["project", "user"] as const) : [scope]) {
    const file = await fileOrNone(workspace, candidate, name, scope);
    let found = false;
    if (file === undefined) continue;
    await editNativeFile(workspace.ports, file, (root) => {
      found = serverIn(root, name) !== undefined;
      return found ? [{ path: [serversKey(root), name], value: undefined }] : [];
    });
    if (!found) continue;
    await workspace.supervisor.close(name);
    await workspace.reload();
    return { name, file, scope: candidate };
  }
  throw notEditableHere(workspace, name, scope);
}

/** Throws if the file cannot be written and the caller named its scope or it defines the server. Otherwise it is skipped. */
async function fileOrNone(
  workspace: Workspace,
  scope: WriteScope,
  name: string,
  wanted: WriteScope | undefined,
): Promise<string | undefined> {
  try {
    const file = await nativeFile(workspace, scope);
    return (await pathExists(workspace.ports.files, file)) ? file : undefined;
  } catch (error) {
    const source = workspace.inventory().servers.get(name)?.provenance;
    if (wanted !== undefined || (source?.tool === "plugboard" && source.scope === scope)) throw error;
    return undefined;
  }
}

/** The error for a server that is unknown or defined in another tool's file, which Plugboard never edits. */
export function notEditableHere(
  workspace: Workspace,
  name: string,
  scope: WriteScope | undefined,
): HostError {
  const server = findServer(workspace, name);
  const which = scope === undefined ? "Plugboard's own" : scope;
  return new HostError("CONFIG_NOT_FOUND", `Server "${name}" not found in ${which} config.`, {
    server: name,
    hint: `It comes from ${describePlace(server.provenance)}, which Plugboard does not edit. Disable it instead, or remove it there.`,
  });
}
