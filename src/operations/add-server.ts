import { editNativeFiles, type NativeEdit, type NativeFileEdit } from "../config/index.ts";
import { declare } from "../discovery/index.ts";
import type { FileUpdate } from "../documents/index.ts";
import { checkNewEntry, checkNewName, interpret } from "../inventory/index.ts";
import { HostError, type JsonObject } from "../model/index.ts";
import { approvalsUpdate } from "../state/index.ts";
import { approvalFor } from "./approve-server.ts";
import { nativeFile, serverIn, serversKey, type WriteScope } from "./native-files.ts";
import type { Workspace } from "./workspace.ts";

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

/** Writes a server into a native file, which also approves it: both are written, or neither. Connects to nothing. */
export async function addServer(
  workspace: Workspace,
  request: AddRequest,
  more: readonly NativeFileEdit[] = [],
): Promise<WrittenServer> {
  const { name, server, scope, replace } = request;
  const wrongName = checkNewName(name);
  if (wrongName !== undefined) throw invalid(name, wrongName);
  const entry = withType(server);
  const wrong = checkNewEntry(name, entry);
  if (wrong.length > 0) throw invalid(name, wrong.join("; "));
  const file = await nativeFile(workspace, scope);
  const decide = (root: JsonObject): NativeEdit[] => {
    if (replace !== true && serverIn(root, name) !== undefined) {
      throw new HostError("CONFIG_EXISTS", `Server "${name}" already exists in ${file}`, {
        server: name,
        hint: "Remove it first, or choose another name.",
      });
    }
    return [{ path: [serversKey(root), name], value: entry }];
  };
  const approvals = scope === "project" ? [await approvalOfNew(workspace, name, file, entry)] : [];
  await editNativeFiles(workspace.ports, [{ file, decide }, ...more], approvals);
  await workspace.reload();
  return { name, file, scope };
}

/** Approves exactly what is written: if the file says more of the server elsewhere, reading it asks. */
async function approvalOfNew(
  workspace: Workspace,
  name: string,
  file: string,
  server: JsonObject,
): Promise<FileUpdate> {
  const provenance = { tool: "plugboard", scope: "project", tier: "project", file } as const;
  const entry = interpret(declare(name, server, provenance), workspace.inventory().settings);
  return approvalsUpdate(workspace.places, [await approvalFor(workspace, entry)]);
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
