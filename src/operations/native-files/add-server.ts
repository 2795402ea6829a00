import { editNativeFiles, type NativeEdit, type NativeFileEdit } from "../../config/index.ts";
import { declare } from "../../discovery/index.ts";
import type { FileUpdate } from "../../documents/index.ts";
import { checkNewEntry, checkNewName, interpret } from "../../inventory/index.ts";
import { HostError, type JsonObject } from "../../model/index.ts";
import { approvalsUpdate } from "../../state/index.ts";
import { approvalFor } from "../approvals/approve-server.ts";
import type { Workspace } from "../workspace.ts";
import { nativeFile, serverIn, serversKey, type WriteScope } from "./native-files.ts";
import { carriedEntry, rootedEntry, rootOfFile } from "./rooted-entry.ts";

export interface AddRequest {
  readonly name: string;
  /** A native entry; `type` is written out where it can be told. */
  readonly server: JsonObject;
  readonly scope: WriteScope;
  /** Replace an entry of the same name in that file. */
  readonly replace?: boolean;
}

export interface WrittenServer {
  readonly name: string;
  readonly file: string;
  readonly scope: WriteScope;
}

/** What else an addition needs to know, and what is written with it. */
export interface AddContext {
  /** Relative paths are meant from this folder, and are rewritten for the file; `undefined` leaves them as they are. */
  readonly from: string | undefined;
  /** The entry is a project's: in this file, too, it must run nothing but that project's code. */
  readonly isCarried?: true;
  /** Edits of other files, made together with this one or not at all. */
  readonly more?: readonly NativeFileEdit[];
}

/** Writes a server into a native file, which also approves it: both are written, or neither. Connects to nothing. */
export async function addServer(
  workspace: Workspace,
  request: AddRequest,
  { from, isCarried, more = [] }: AddContext = { from: workspace.environment.cwd },
): Promise<WrittenServer> {
  const { name, server, scope, replace } = request;
  const wrongName = checkNewName(name);
  if (wrongName !== undefined) throw invalid(name, wrongName);
  const given = withType(server);
  const wrong = checkNewEntry(name, given);
  if (wrong.length > 0) throw invalid(name, wrong.join("; "));
  const file = await nativeFile(workspace, scope);
  const { platform } = workspace.environment;
  const folder = rootOfFile(file, scope);
  const rooted = isCarried === true ? carriedEntry : rootedEntry;
  const entry = from === undefined ? given : await rooted(given, { from, root: folder, platform });
  const decide = (root: JsonObject): NativeEdit[] => {
    if (replace !== true && serverIn(root, name) !== undefined) {
      throw new HostError("CONFIG_EXISTS", `Server "${name}" already exists in ${file}`, {
        server: name,
        hint: "Remove it first, or choose another name.",
      });
    }
    return [{ path: [serversKey(root), name], value: entry }];
  };
  const approvals =
    folder === undefined ? [] : [await approvalOfNew(workspace, name, { file, folder, entry })];
  await editNativeFiles(workspace.ports, [{ file, decide }, ...more], approvals);
  await workspace.reload();
  return { name, file, scope };
}

/** Approves exactly what is written: if the file says more of the server elsewhere, reading it asks. */
async function approvalOfNew(
  workspace: Workspace,
  name: string,
  { file, folder, entry }: { readonly file: string; readonly folder: string; readonly entry: JsonObject },
): Promise<FileUpdate> {
  const provenance = { tool: "plugboard", scope: "project", tier: "project", file } as const;
  // Its envFile is the one that the entry means wherever it is read.
  const declaration = { ...declare(name, entry, provenance), projectFolder: folder };
  const added = interpret(declaration, workspace.inventory().settings);
  return approvalsUpdate(workspace.places, [{ ...(await approvalFor(workspace, added)), added: true }]);
}

/** On writing, the type is always said. */
function withType(server: JsonObject): JsonObject {
  if (server["type"] !== undefined) return server;
  if (server["command"] !== undefined && server["url"] === undefined) return { type: "stdio", ...server };
  if (server["url"] !== undefined && server["command"] === undefined) return { type: "http", ...server };
  return server;
}

function invalid(name: string, message: string): HostError {
  return new HostError("CONFIG_INVALID", `Invalid server config: ${message}`, { server: name });
}
