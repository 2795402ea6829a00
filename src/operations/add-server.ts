import { editNativeFile } from "../config/index.ts";
import { checkNewEntry, checkNewName } from "../inventory/index.ts";
import { HostError, type JsonObject } from "../model/index.ts";
import { approveWritten } from "./approve-server.ts";
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

/** Writes a server into a native file. What a person adds is approved by that. Connects to nothing. */
export async function addServer(
  workspace: Workspace,
  { name, server, scope, replace }: AddRequest,
): Promise<WrittenServer> {
  const wrongName = checkNewName(name);
  if (wrongName !== undefined) throw invalid(name, wrongName);
  const entry = withType(server);
  const wrong = checkNewEntry(name, entry);
  if (wrong.length > 0) throw invalid(name, wrong.join("; "));
  const file = await nativeFile(workspace, scope);
  await editNativeFile(workspace.ports, file, (root) => {
    if (replace !== true && serverIn(root, name) !== undefined) {
      throw new HostError("CONFIG_EXISTS", `Server "${name}" already exists in ${file}`, {
        server: name,
        hint: "Remove it first, or choose another name.",
      });
    }
    return [{ path: [serversKey(root), name], value: entry }];
  });
  await workspace.reload();
  await approveWritten(workspace, name, file, entry);
  return { name, file, scope };
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
