import { type Dialect, isUnsupported, type Unsupported } from "../../discovery/index.ts";
import { memberAt, parseText, setEntry } from "../../documents/index.ts";
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
  Secret,
  type Server,
} from "../../model/index.ts";
import { decideServer } from "../../policy/index.ts";
import { recordedSandbox } from "../approvals/chosen-sandbox.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { assertOwnParts } from "../native-files/carry-over.ts";
import type { WriteScope } from "../native-files/native-files.ts";
import type { Workspace } from "../workspace.ts";
import { type GatewayExport, gatewayEntry } from "./gateway-entry.ts";
import { maskConfigText, maskConfigValue } from "./mask-config.ts";
import { toPortable } from "./portable-server.ts";
import { readUtf8, splitMark } from "./read-utf8.ts";
import { type ExportTarget, findTarget, notEditable, readRoot } from "./target.ts";

/** Servers to write to another tool's config. */
export interface ExportRequest {
  /** The id of the other tool, such as `cursor`. */
  readonly tool: string;
  /** The names of the servers to export. Default: all servers in Plugboard's own files that may run. */
  readonly names?: readonly string[];
  /** Without `names`, also exports servers from other tools' files. Default: `false`. */
  readonly all?: boolean;
  /** Which of the tool's files to write. Default: the user's file if the tool has one, else the project's. */
  readonly scope?: WriteScope;
  /** Writes one entry for the gateway instead of servers. Cannot be combined with `names` and `all`. */
  readonly gateway?: GatewayExport;
}

/** The change to one entry of another tool's config. */
export interface ExportChange {
  /** The server's name. */
  readonly server: string;
  /** Whether the entry is added, changed, or already up to date. */
  readonly action: "add" | "change" | "same";
  /** The current entry, with its secrets masked. Absent if there is none. */
  readonly before?: JsonValue;
  /** The new entry, with its secrets masked. */
  readonly after: JsonValue;
}

/** The changes that an export would make to one file of another tool. Nothing is written yet. */
export interface ExportPlan {
  /** The id of the other tool, such as `cursor`. */
  readonly tool: string;
  /** The tool's display name. */
  readonly label: string;
  /** The scope of the file. */
  readonly scope: WriteScope;
  /** The file to change. */
  readonly file: string;
  /** The entries to add, change or keep. */
  readonly changes: readonly ExportChange[];
  /** Servers that cannot be written to this file, and why. */
  readonly skipped: readonly { readonly server: string; readonly reason: string }[];
  /** Servers from other tools' files that `all` would export. */
  readonly others: readonly string[];
  /** The current content of the file, with secrets masked. Empty if there is no file. */
  readonly before: string;
  /** The new content of the file, with secrets masked. */
  readonly after: string;
  /** A file of the tool with nothing but these entries, with secrets masked. Empty if there are none. */
  readonly snippet: string;
  /** The unmasked contents, for `applyExport`. */
  readonly exact: { readonly before: Secret | undefined; readonly after: Secret };
}

/** Computes the new content of a tool's file. Reads only that file, writes nothing and resolves no values. */
export async function planExport(workspace: Workspace, request: ExportRequest): Promise<ExportPlan> {
  const target = await findTarget(workspace, request.tool, request.scope);
  const { dialect, file } = target;
  const text = await readUtf8(workspace.ports.files, file);
  const { mark, rest } = splitMark(text ?? "");
  const root = await readRoot(rest, file, dialect);
  const keyPath = dialect.keyPath(root);
  if (isUnsupported(keyPath)) throw notEditable(file, keyPath.cannot);

  const changes: { change: ExportChange; entry: JsonObject }[] = [];
  const skipped: { server: string; reason: string }[] = [];
  if (request.gateway !== undefined) {
    const server = gatewayEntry(request.tool, request.gateway);
    const entry = dialect.toEntry(server);
    if (isUnsupported(entry)) skipped.push({ server: server.name, reason: entry.cannot });
    else changes.push(compare(server.name, memberAt(root, [...keyPath, server.name]), entry, dialect));
  }
  const { chosen, others } =
    request.gateway === undefined ? chooseServers(workspace, request) : { chosen: [], others: [] };
  for (const server of chosen) {
    const before = memberAt(root, [...keyPath, server.name]);
    if (before !== undefined && (await isSameFile(workspace, server.provenance.file, file))) {
      changes.push({ change: { server: server.name, action: "same", before, after: before }, entry: {} });
      continue;
    }
    const entry = await exportServer(workspace, server, target);
    if (isUnsupported(entry)) skipped.push({ server: server.name, reason: entry.cannot });
    else changes.push(compare(server.name, before, entry, dialect));
  }

  let after = rest;
  for (const { change, entry } of changes) {
    if (change.action !== "same")
      after = await edit(after, dialect, [...keyPath, change.server], entry, file);
  }
  return toPlan({ ...target, text, root, keyPath, changes, skipped, others, after, mark });
}

async function isSameFile({ ports }: Workspace, left: string, right: string): Promise<boolean> {
  const real = (path: string): Promise<string> => ports.files.realPath(path).catch(() => path);
  return left === right || (await real(left)) === (await real(right));
}

/** The readers of files that belong to Plugboard, or that a variable names for it. */
const OWN: ReadonlySet<string> = new Set(["plugboard", "environment"]);

/** Returns the named servers. Without names, returns all of Plugboard's own that may be exported, and the names of the others. */
function chooseServers(
  workspace: Workspace,
  { tool, names, all = false }: ExportRequest,
): { readonly chosen: Server[]; readonly others: string[] } {
  if (names !== undefined)
    return { chosen: [...new Set(names)].map((name) => findServer(workspace, name)), others: [] };
  const allowed = [...workspace.inventory().servers.values()].filter(
    (server) => exportBlocker(workspace, server) === undefined,
  );
  if (all) return { chosen: allowed, others: [] };
  const isOwn = ({ provenance }: Server): boolean => OWN.has(provenance.tool);
  const isElsewhere = (server: Server): boolean => !isOwn(server) && server.provenance.tool !== tool;
  const others = allowed.filter(isElsewhere).map(({ name }) => name);
  return { chosen: allowed.filter(isOwn), others };
}

/** Ignores `trustProject`: a server that is trusted only for this run must not be written to a permanent file. */
function exportBlocker({ inventory }: Workspace, server: Server): string | undefined {
  if (server.provenance.tier === "managed") return "an administrator manages it";
  const decision = decideServer(server, { approvals: inventory().approvals, trustProject: false });
  return decision.allowed ? undefined : `it may not run: ${decision.because}`;
}

async function exportServer(
  workspace: Workspace,
  server: Server,
  { dialect, scope, file, folder }: ExportTarget,
): Promise<JsonObject | Unsupported> {
  const blocker = exportBlocker(workspace, server);
  if (blocker !== undefined) return { cannot: blocker };
  if (recordedSandbox(server, workspace.inventory().approvals) !== undefined)
    return { cannot: "other tools do not support the sandbox that you chose" };
  const layer = dialect.merges === true ? otherLayer(server, dialect.id, file) : undefined;
  if (layer !== undefined) return { cannot: `${dialect.label} would merge it with the entry in ${layer}` };
  try {
    await assertOwnParts(workspace, server, scope);
  } catch (error) {
    return { cannot: messageOf(error) };
  }
  const portable = await toPortable(server, { scope, folder, environment: workspace.environment });
  return isUnsupported(portable) ? portable : dialect.toEntry(portable);
}

/** Returns another file of the tool that contributes to the server of the same name. */
function otherLayer(server: Server, tool: string, file: string): string | undefined {
  return [server, ...server.shadowed]
    .filter(({ provenance }) => provenance.tool === tool)
    .flatMap(({ provenance, declaration }) => [
      provenance.file,
      ...Object.values(declaration.fieldSources ?? {}).map((source) => source.file),
    ])
    .find((other) => other !== file);
}

/** Keeps the tool's own fields of an entry. Drops granted permissions if the launch differs, because they were for the old server. */
function compare(
  server: string,
  before: JsonValue | undefined,
  said: JsonObject,
  { launchFields, grants = [] }: Dialect,
): { change: ExportChange; entry: JsonObject } {
  if (!isJsonObject(before)) {
    const action = before === undefined ? "add" : "change";
    return {
      change: { server, action, ...(before !== undefined && { before }), after: said },
      entry: said,
    };
  }
  const launchOf = (entry: JsonObject): JsonObject => pick(entry, (key) => launchFields.includes(key));
  const runsSame = canonicalJson(launchOf(before)) === canonicalJson(launchOf(said));
  const kept = pick(before, (key) => !launchFields.includes(key) && (runsSame || !grants.includes(key)));
  const entry = { ...kept, ...said };
  if (canonicalJson(withoutDefaults(entry)) === canonicalJson(withoutDefaults(before)))
    return { change: { server, action: "same", before, after: before }, entry: {} };
  return { change: { server, action: "change", before, after: entry }, entry };
}

/** Removes what an entry states although it is the default: empty lists and objects, and the type of an entry with a command. */
function withoutDefaults(entry: JsonObject): JsonObject {
  const isEmpty = (value: JsonValue | undefined): boolean =>
    typeof value === "object" && value !== null && Object.keys(value).length === 0;
  const isImplied = (key: string): boolean =>
    key === "type" && entry["type"] === "stdio" && entry["command"] !== undefined;
  return pick(entry, (key) => !isEmpty(entry[key]) && !isImplied(key));
}

function pick(entry: JsonObject, wanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => wanted(key)));
}

async function edit(
  text: string,
  { format }: Dialect,
  path: readonly string[],
  entry: JsonObject,
  file: string,
): Promise<string> {
  try {
    return await setEntry(text, format, path, entry);
  } catch (error) {
    throw notEditable(file, `has a structure that Plugboard cannot edit: ${messageOf(error)}`, error);
  }
}

interface Draft extends ExportTarget {
  readonly text: string | undefined;
  readonly root: JsonObject;
  readonly keyPath: readonly string[];
  readonly changes: readonly { readonly change: ExportChange; readonly entry: JsonObject }[];
  readonly skipped: ExportPlan["skipped"];
  readonly others: ExportPlan["others"];
  /** Without the byte order mark. */
  readonly after: string;
  readonly mark: string;
}

async function toPlan(draft: Draft): Promise<ExportPlan> {
  const { dialect, scope, file, text, root, keyPath, skipped, others } = draft;
  const after = draft.mark + draft.after;
  const plain = new Set(draft.changes.flatMap(({ entry }) => textsIn(entry)));
  const then = (await parseText(draft.after, dialect.format)).value ?? root;
  const changes = draft.changes.map(({ change }) => ({
    ...change,
    ...(change.before !== undefined && { before: maskConfigValue(change.before, plain) }),
    after: maskConfigValue(change.after, plain),
  }));
  let snippet = "";
  for (const { server, after: entry } of changes)
    if (isJsonObject(entry)) snippet = await edit(snippet, dialect, [...keyPath, server], entry, file);
  return {
    tool: dialect.id,
    label: dialect.label,
    scope,
    file,
    changes,
    skipped,
    others,
    before: maskConfigText(text ?? "", root, plain),
    after: maskConfigText(after, then, plain),
    snippet,
    exact: { before: text === undefined ? undefined : new Secret(text), after: new Secret(after) },
  };
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
