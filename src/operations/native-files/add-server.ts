import { editNativeFiles, type NativeEdit, type NativeFileEdit } from "../../config/index.ts";
import { declareServer } from "../../discovery/index.ts";
import { checkNewEntry, checkNewName, interpret } from "../../inventory/index.ts";
import { HostError, type JsonObject } from "../../model/index.ts";
import type { Approval } from "../../state/index.ts";
import { approvalFor } from "../approvals/approve-server.ts";
import type { Workspace } from "../workspace.ts";
import { nativeFile, serverIn, serversKey, type WriteScope } from "./native-files.ts";
import { carriedEntry, rebasePaths, rootOfFile } from "./rebase-paths.ts";

/** A server to write to a native config file. */
export interface AddRequest {
  /** The server's name. */
  readonly name: string;
  /** The native entry. A missing `type` is added if `command` or `url` implies it. */
  readonly server: JsonObject;
  /** The file to write to: the project's or the user's. */
  readonly scope: WriteScope;
  /** `true` replaces an entry with the same name in that file. Default: `false`. */
  readonly replace?: boolean;
}

/** A server that was written to a native config file, or removed from it. */
export interface WrittenServer {
  /** The server's name. */
  readonly name: string;
  /** The absolute path of the file. */
  readonly file: string;
  /** The scope of the file. */
  readonly scope: WriteScope;
}

/** Details of an addition that only other operations set. */
export interface AddContext {
  /** The folder of the entry's relative paths, which are rewritten for the file. `undefined` leaves paths unchanged. */
  readonly from: string | undefined;
  /** The entry is a project's, so it must run only that project's code from this file, too. */
  readonly isCarried?: true;
  /** Edits of other files, made together with this one or not at all. */
  readonly more?: readonly NativeFileEdit[];
}

/** Writes a server to a native file, which also approves it. Does not connect. If approvals are in a file, either both are written or neither. */
export async function addServer(
  workspace: Workspace,
  request: AddRequest,
  { from, isCarried, more = [] }: AddContext = { from: workspace.environment.cwd },
): Promise<WrittenServer> {
  const { name, server, scope, replace } = request;
  const wrongName = checkNewName(name);
  if (wrongName !== undefined) throw invalid(name, wrongName);
  const wrong = checkNewEntry(name, withType(server));
  if (wrong.length > 0) throw invalid(name, wrong.join("; "));
  const file = await nativeFile(workspace, scope);
  const folder = rootOfFile(file, scope);
  const entry = await newEntry(workspace, server, { file, scope }, { from, ...(isCarried && { isCarried }) });
  const decide = (root: JsonObject): NativeEdit[] => {
    if (replace !== true && serverIn(root, name) !== undefined) {
      throw new HostError("CONFIG_EXISTS", `Server "${name}" already exists in ${file}`, {
        server: name,
        hint: "Remove it first, or choose another name.",
      });
    }
    return [{ path: [serversKey(root), name], value: entry }];
  };
  const approved =
    folder === undefined ? [] : [await approvalOfNew(workspace, name, { file, folder, entry, added: true })];
  await editWithApprovals(workspace, [{ file, decide }, ...more], approved);
  await workspace.reload();
  return { name, file, scope };
}

/** Returns the entry as it is written to the file: with its type, and with paths that are relative to the file's folder. */
export async function newEntry(
  { environment: { cwd, platform } }: Workspace,
  server: JsonObject,
  { file, scope }: Pick<WrittenServer, "file" | "scope">,
  { from, isCarried }: Omit<AddContext, "more"> = { from: cwd },
): Promise<JsonObject> {
  const given = withType(server);
  if (from === undefined) return given;
  const rooted = isCarried === true ? carriedEntry : rebasePaths;
  return rooted(given, { from, root: rootOfFile(file, scope), platform });
}

/** A project's entry to approve. `added` says that the user added it with Plugboard. */
interface NewEntry {
  readonly file: string;
  readonly folder: string;
  readonly entry: JsonObject;
  readonly added: boolean;
}

/** Approves exactly the new entry. If the file contains more about the server, reading it requires approval again. */
export async function approvalOfNew(
  workspace: Workspace,
  name: string,
  { file, folder, entry, added }: NewEntry,
): Promise<Approval> {
  const provenance = { tool: "plugboard", scope: "project", tier: "project", file } as const;
  // The project folder makes a relative `envFile` refer to the same file as when the entry is read later.
  const declaration = { ...declareServer(name, entry, provenance), projectFolder: folder };
  const server = interpret(declaration, workspace.inventory().settings);
  return { ...(await approvalFor(workspace, server)), ...(added && { added }) };
}

/** Edits native files and records approvals: both or neither, if the approvals are stored in a file. */
export async function editWithApprovals(
  { ports, stores: { approvals } }: Workspace,
  edits: readonly NativeFileEdit[],
  approved: readonly Approval[],
): Promise<void> {
  const together = approved.length === 0 ? undefined : approvals.addition?.(approved);
  await editNativeFiles(ports, edits, together ? [together] : []);
  if (together === undefined && approved.length > 0) await approvals.add(approved);
}

/** Adds `type` if `command` or `url` implies it. */
function withType(server: JsonObject): JsonObject {
  if (server["type"] !== undefined) return server;
  if (server["command"] !== undefined && server["url"] === undefined) return { type: "stdio", ...server };
  if (server["url"] !== undefined && server["command"] === undefined) return { type: "http", ...server };
  return server;
}

function invalid(name: string, message: string): HostError {
  return new HostError("CONFIG_INVALID", `Invalid server config: ${message}`, { server: name });
}
