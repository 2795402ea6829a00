import { parseJson } from "../../documents/index.ts";
import { checkNewEntry } from "../../inventory/index.ts";
import {
  canonicalJson,
  HostError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nearest,
} from "../../model/index.ts";
import { approvalOf, approvalStatus } from "../../policy/index.ts";
import type { Approval } from "../../state/index.ts";
import { maskChangedValue, maskConfigValue } from "../export/mask-config.ts";
import { readUtf8, splitMark } from "../export/read-utf8.ts";
import type { Workspace } from "../workspace.ts";
import { approvalOfNew, editWithApprovals, newEntry, type WrittenServer } from "./add-server.ts";
import { assertInsideProject } from "./assert-inside-project.ts";
import { nativeFile, serverIn, serversKey, type WriteScope } from "./native-files.ts";
import { rootOfFile } from "./rebase-paths.ts";
import { notEditableHere } from "./remove-server.ts";

/** Changes to a server's entry in a native config file. */
export interface EditRequest {
  /** The server's name. */
  readonly name: string;
  /** The fields to set, or to remove if the value is `undefined`. A path has one part, or two: `["env", "TOKEN"]`. */
  readonly changes: readonly { readonly path: readonly string[]; readonly value: JsonValue | undefined }[];
  /**
   * A new native entry, for example of a server that a person added again. It replaces what the entry starts or connects to, with its
   * variables and headers, and it is approved. Time limits, tool lists and descriptions stay.
   */
  readonly launch?: JsonObject;
  /** The file to edit. Default: the file that defines the server. */
  readonly scope?: WriteScope;
  /** `true` writes nothing. Default: `false`. */
  readonly dryRun?: boolean;
}

/** A changed entry. Secrets are masked. */
export interface EditedServer extends WrittenServer {
  /** The entry before the change. */
  readonly before: JsonObject;
  /** The entry after the change. */
  readonly after: JsonObject;
}

/**
 * Changes fields of a server's entry and keeps comments and order. Rejects if the result would be invalid. If a person had approved the
 * entry, the changed entry is approved as well; otherwise it still requires approval.
 */
export async function editServer(workspace: Workspace, request: EditRequest): Promise<EditedServer> {
  const { name, launch, dryRun = false } = request;
  const { file, scope } = await findFile(workspace, request);
  const before = await readEntry(workspace, name, file, request.scope);
  const launched =
    launch === undefined ? [] : launchChanges(before, await newEntry(workspace, launch, { file, scope }));
  const changes = replacingTrue(before, [...launched, ...request.changes]);
  const after = changes.reduce((entry, change) => applyChange(entry, change, name), before);
  const known = new Set(checkNewEntry(name, before));
  const wrong = checkNewEntry(name, after).filter((message) => !known.has(message));
  if (wrong.length > 0)
    throw new HostError("CONFIG_INVALID", `Invalid server config: ${wrong.join("; ")}`, { server: name });
  if (!dryRun && canonicalJson(before) !== canonicalJson(after)) {
    await editWithApprovals(
      workspace,
      [
        {
          file,
          decide(root) {
            const current = serverIn(root, name);
            if (current === undefined || canonicalJson(current) !== canonicalJson(before))
              throw new HostError("CONFIG_UNWRITABLE", `${file} has just changed, so nothing was written.`, {
                server: name,
                hint: "Run the command again.",
              });
            return changes.map(({ path, value }) => ({ path: [serversKey(root), name, ...path], value }));
          },
        },
      ],
      await approvalsFor(workspace, { name, file, scope, before, after, isTyped: launch !== undefined }),
    );
    await workspace.reload();
  }
  return { name, file, scope, before: masked(before), after: maskChangedValue(before, after) as JsonObject };
}

/** Fields that do not decide what runs and with which permissions. */
const KEPT: ReadonlySet<string> = new Set(
  "enabled timeout startupTimeout installTimeout allowTools denyTools idleStopMs maxMemoryMb toolsTtlMs eager share label description".split(
    " ",
  ),
);

/** Returns the changes that replace the launch of an entry. Equal fields stay as they are written. */
function launchChanges(before: JsonObject, launch: JsonObject): EditRequest["changes"] {
  const removed = Object.keys(before).filter((key) => !KEPT.has(key) && !Object.hasOwn(launch, key));
  const set = Object.entries(launch).filter(([key, value]) => {
    const current = Object.hasOwn(before, key) ? before[key] : undefined;
    return current === undefined || canonicalJson(current) !== canonicalJson(value);
  });
  return [
    ...removed.map((key) => ({ path: [key], value: undefined })),
    ...set.map(([key, value]) => ({ path: [key], value })),
  ];
}

function masked(entry: JsonObject): JsonObject {
  return maskConfigValue(entry, new Set()) as JsonObject;
}

async function findFile(
  workspace: Workspace,
  { name, scope }: EditRequest,
): Promise<{ readonly file: string; readonly scope: WriteScope }> {
  if (scope !== undefined) return { file: await nativeFile(workspace, scope), scope };
  const source = workspace.inventory().servers.get(name)?.provenance;
  if (source?.tool !== "plugboard") throw notEditableHere(workspace, name, undefined);
  if (source.scope !== "project") return { file: source.file, scope: "user" };
  await assertInsideProject(workspace.ports.files, source.file, await workspace.projectFolders());
  return { file: source.file, scope: "project" };
}

async function readEntry(
  workspace: Workspace,
  name: string,
  file: string,
  scope: WriteScope | undefined,
): Promise<JsonObject> {
  const { rest } = splitMark((await readUtf8(workspace.ports.files, file)) ?? "");
  const { value } = parseJson(rest);
  const entry = isJsonObject(value) ? serverIn(value, name) : undefined;
  if (entry === undefined) throw notEditableHere(workspace, name, scope);
  if (!isJsonObject(entry))
    throw new HostError("CONFIG_INVALID", `The entry of "${name}" in ${file} is not an object.`, {
      server: name,
      hint: "Fix the file first.",
    });
  return entry;
}

/** Replaces `true`, which stands for an object with all defaults, if one of its members is set: `oauth: true`, `oauth.scope`. */
function replacingTrue(entry: JsonObject, changes: EditRequest["changes"]): EditRequest["changes"] {
  const replaced = new Set<string>();
  return changes.map((change) => {
    const { path, value } = change;
    const [key = "", inner] = path;
    if (inner === undefined || value === undefined || entry[key] !== true || replaced.has(key)) return change;
    replaced.add(key);
    return { path: [key], value: { [inner]: value } };
  });
}

function applyChange(
  entry: JsonObject,
  { path, value }: EditRequest["changes"][number],
  server: string,
): JsonObject {
  const [key = "", ...inner] = path;
  const current = Object.hasOwn(entry, key) ? entry[key] : undefined;
  if (inner.length > 0) {
    if (current !== undefined && !isJsonObject(current))
      throw new HostError("CONFIG_INVALID", `"${key}" of "${server}" is not an object.`, { server });
    return { ...entry, [key]: applyChange(current ?? {}, { path: inner, value }, server) };
  }
  if (value !== undefined) return { ...entry, [key]: value };
  if (current === undefined) {
    const close = nearest(key, Object.keys(entry));
    throw new HostError("CONFIG_NOT_FOUND", `The entry of "${server}" has no field "${key}".`, {
      server,
      ...(close !== undefined && { hint: `Did you mean "${close}"?` }),
    });
  }
  const { [key]: _, ...rest } = entry;
  return rest;
}

interface ChangedEntry {
  readonly name: string;
  readonly file: string;
  readonly scope: WriteScope;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Whether a person typed the whole launch. */
  readonly isTyped: boolean;
}

/** Approves a project's changed entry only if a person typed its launch, or exactly the entry before the change was approved. */
async function approvalsFor(
  workspace: Workspace,
  { name, file, scope, before, after, isTyped }: ChangedEntry,
): Promise<Approval[]> {
  const { servers, approvals } = workspace.inventory();
  const server = servers.get(name);
  const folder = rootOfFile(file, scope);
  if (isTyped && folder !== undefined)
    return [await approvalOfNew(workspace, name, { file, folder, entry: after, added: true })];
  if (server === undefined || folder === undefined || server.provenance.file !== file) return [];
  const isApproved = approvalStatus(server, approvals).kind === "approved";
  const isCurrent = canonicalJson(server.declaration.fields) === canonicalJson(before);
  if (!isApproved || !isCurrent) return [];
  const given = approvalOf(approvals, file, name);
  const { envFile: read, ...approval } = await approvalOfNew(workspace, name, {
    file,
    folder,
    entry: after,
    added: given?.added === true,
  });
  // The person has not seen what the repository added to the file since the approval.
  const isSameFile = canonicalJson(before["envFile"] ?? null) === canonicalJson(after["envFile"] ?? null);
  const envFile = isSameFile ? given?.envFile : read;
  return [{ ...approval, ...(envFile && { envFile }) }];
}
