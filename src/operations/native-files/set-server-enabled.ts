import { editNativeFiles, type NativeEdit, type NativeFileEdit } from "../../config/index.ts";
import type { JsonObject, JsonValue } from "../../model/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import type { Workspace } from "../workspace.ts";
import { assertInsideProject } from "./assert-inside-project.ts";
import { serverIn, serversKey } from "./native-files.ts";

/** The outcome of enabling or disabling a server. */
export interface SwitchedServer {
  /** The server's name. */
  readonly name: string;
  /** Whether the server is enabled now. */
  readonly enabled: boolean;
  /** The file that contains the setting. */
  readonly file: string;
  /** `true` if nothing changed, because the server was already enabled or disabled. */
  readonly already: boolean;
  /** Why the server is still off after it was enabled, such as a profile that does not include it. */
  readonly blockedBy?: string;
}

/**
 * Enables or disables a server. For a native entry, sets `enabled` in the entry. For another tool's server, edits a list in the
 * user's own file, because Plugboard does not edit the other tool's file.
 */
export async function setServerEnabled(
  workspace: Workspace,
  name: string,
  enabled: boolean,
): Promise<SwitchedServer> {
  const server = findServer(workspace, name);
  const isNative = server.provenance.tool === "plugboard";
  const file = isNative ? server.provenance.file : workspace.places.userConfig;
  const already = server.enabled === enabled;
  if (!already) {
    if (isNative && server.provenance.scope === "project")
      await assertInsideProject(workspace.ports.files, file, await workspace.projectFolders());
    const lists: NativeFileEdit = {
      file: workspace.places.userConfig,
      decide: (root) => listEdits(root, name, enabled, isNative),
    };
    const entry: NativeFileEdit = {
      file,
      decide(root) {
        if (serverIn(root, name) === undefined) return [];
        return [{ path: [serversKey(root), name, "enabled"], value: enabled }];
      },
    };
    await editNativeFiles(workspace.ports, isNative ? [lists, entry] : [lists]);
    if (!enabled) await workspace.supervisor.close(name);
    await workspace.reload();
  }
  const now = workspace.inventory().servers.get(name);
  const isBlocked = enabled && now?.enabled === false && now.enabledBy !== undefined;
  return { name, enabled, file, already, ...(isBlocked && { blockedBy: now.enabledBy }) };
}

/** Adds the name to one list and removes it from the other. For a native server, removes it from both. */
function listEdits(root: JsonObject, name: string, enabled: boolean, isNative: boolean): NativeEdit[] {
  const lists = { disabledServers: !enabled && !isNative, enabledServers: enabled && !isNative };
  return Object.entries(lists).flatMap(([key, wanted]): NativeEdit[] => {
    const before = namesIn(root[key]);
    if (before.includes(name) === wanted) return [];
    const after = wanted ? [...before, name] : before.filter((other) => other !== name);
    return [{ path: [key], value: after.length === 0 ? undefined : after }];
  });
}

function namesIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
