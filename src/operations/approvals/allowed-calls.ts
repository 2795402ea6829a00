import { HostError, type Server, type ToolDefinition } from "../../model/index.ts";
import { approvalHash, toolHash } from "../../policy/index.ts";
import type { AllowedCall } from "../../state/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";

/** A tool that is always allowed, and whether that still applies. */
export interface AllowedCallView {
  /** The name of the server. */
  readonly server: string;
  /** The server's name for the tool. */
  readonly tool: string;
  /** The config file that defined the server when the tool was allowed. */
  readonly file: string;
  /** When it was allowed, as an ISO 8601 date and time. */
  readonly allowedAt: string;
  /**
   * `"active"`: calls run without approval. `"changed"`: the server's entry or the tool's definition changed, so calls require
   * approval. `"elsewhere"`: this host does not read such an entry; it may belong to another project.
   */
  readonly status: "active" | "changed" | "elsewhere";
}

/** Returns since when exactly this definition of this server is always allowed; `undefined` if it is not. */
export function allowedSince(
  allowed: readonly AllowedCall[],
  server: Server,
  tool: ToolDefinition,
): string | undefined {
  if (allowed.length === 0) return undefined;
  const call = allowed.find((each) => each.tool === tool.name && isForEntry(each, server));
  return call?.hash === toolHash(tool) ? call?.allowedAt : undefined;
}

/** Returns whether the tool was allowed for this entry as it is now. */
export function isForEntry({ server, file, entry }: AllowedCall, now: Server): boolean {
  return server === now.name && file === now.provenance.file && entry === approvalHash(now);
}

/** Allows all calls to a tool with this definition. */
export async function allowCall(
  workspace: Workspace,
  name: string,
  toolName: string,
  hash: string,
): Promise<AllowedCallView> {
  const server = findServer(workspace, name);
  const tool = await knownTool(workspace, server, toolName);
  if (tool === undefined || toolHash(tool) !== hash) {
    const message = `Tool "${toolName}" of "${name}" does not have the definition that was reviewed.`;
    throw new HostError("POLICY_HASH_MISMATCH", message, { server: name });
  }
  const { ports, stores } = workspace;
  const call: AllowedCall = {
    server: name,
    file: server.provenance.file,
    entry: approvalHash(server),
    tool: toolName,
    hash,
    allowedAt: new Date(ports.clock.now()).toISOString(),
  };
  const isReplaced = (other: AllowedCall): boolean =>
    other.server === name && other.file === call.file && other.tool === toolName;
  await stores.allowedCalls.update((list) => [...list.filter((one) => !isReplaced(one)), call]);
  await applyChange(workspace, name);
  return toView(call, "active");
}

/** Returns all tools that are always allowed, sorted by server and tool. */
export async function listAllowedCalls(workspace: Workspace): Promise<AllowedCallView[]> {
  const { allowedCalls, servers } = workspace.inventory();
  const statusOf = async (call: AllowedCall): Promise<AllowedCallView["status"]> => {
    const server = servers.get(call.server);
    if (server?.provenance.file !== call.file) return "elsewhere";
    if (!isForEntry(call, server)) return "changed";
    const tool = await knownTool(workspace, server, call.tool);
    return tool === undefined || toolHash(tool) === call.hash ? "active" : "changed";
  };
  const views = await Promise.all(allowedCalls.map(async (call) => toView(call, await statusOf(call))));
  return views.sort((left, right) =>
    `${left.server}\0${left.tool}` < `${right.server}\0${right.tool}` ? -1 : 1,
  );
}

/** Removes the tool, or all tools of the server, from the list, whichever file defined the server. */
export async function revokeAllowedCalls(
  workspace: Workspace,
  name: string,
  tool?: string,
): Promise<AllowedCallView[]> {
  const isRevoked = (call: { readonly server: string; readonly tool: string }): boolean =>
    call.server === name && (tool === undefined || call.tool === tool);
  const revoked = (await listAllowedCalls(workspace)).filter(isRevoked);
  if (revoked.length === 0) return [];
  await workspace.stores.allowedCalls.update((list) => list.filter((call) => !isRevoked(call)));
  await applyChange(workspace, name);
  return revoked;
}

/** Reads the list again. Open sessions then show the tool's new approval. */
async function applyChange(workspace: Workspace, server: string): Promise<void> {
  await workspace.reload();
  workspace.toolsChanged(server);
}

async function knownTool(
  { catalogs }: Workspace,
  server: Server,
  name: string,
): Promise<ToolDefinition | undefined> {
  const known = await catalogs.peek(catalogSubject(server));
  return known?.catalog.tools.find((tool) => tool.name === name);
}

function toView(call: AllowedCall, status: AllowedCallView["status"]): AllowedCallView {
  const { server, tool, file, allowedAt } = call;
  return { server, tool, file, allowedAt, status };
}
