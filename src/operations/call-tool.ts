import { checkArguments, toToolResult } from "../bridge/index.ts";
import {
  type CallOptions,
  HostError,
  type HostErrorCode,
  isHostError,
  type JsonObject,
  messageOf,
  nearest,
  type Server,
  ToolAbortError,
  type ToolDefinition,
  type ToolResult,
} from "../model/index.ts";
import { useServer } from "./use-server.ts";
import { catalogSubject, type Workspace } from "./workspace.ts";

/** Finds the tool, checks the arguments, makes the call, shapes the answer. */
export async function callTool(
  workspace: Workspace,
  serverName: string,
  toolName: string,
  args: JsonObject,
  options: CallOptions,
): Promise<ToolResult> {
  options.signal?.throwIfAborted();
  const server = await useServer(workspace, serverName);
  const tool = await findTool(workspace, server, toolName);
  const complaints = checkArguments(args, tool.inputSchema);
  if (complaints.length > 0) {
    throw new HostError(
      "TOOL_ARGUMENTS_INVALID",
      `Wrong arguments for "${toolName}": ${complaints.join("; ")}.`,
      {
        server: serverName,
      },
    );
  }
  const connection = await workspace.supervisor.connect(serverName);
  try {
    const { signal, onProgress } = options;
    const raw = await connection.request(
      "tools/call",
      { name: toolName, arguments: args },
      {
        timeoutMs: server.timeoutMs,
        signal,
        onProgress,
      },
    );
    return toToolResult(raw, { serverName, mcpToolName: toolName, source: server.provenance });
  } catch (error) {
    throw toCallError(error, serverName);
  }
}

/** A cached list may be older than the tool: before saying no, the server is asked. */
async function findTool(workspace: Workspace, server: Server, name: string): Promise<ToolDefinition> {
  const subject = catalogSubject(server);
  const known = await workspace.catalogs.peek(subject);
  const cached = known?.catalog.tools.find((tool) => tool.name === name);
  if (cached !== undefined) return cached;
  const { catalog } = await workspace.catalogs.refresh(subject);
  const tool = catalog.tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const names = catalog.tools.map((candidate) => candidate.name);
  const close = nearest(name, names);
  let hint = names.length === 0 ? "It offers no tools." : `It offers ${names.slice(0, 12).join(", ")}.`;
  if (close !== undefined) hint = `Did you mean "${close}"?`;
  throw new HostError("TOOL_UNKNOWN", `Server "${server.name}" has no tool "${name}".`, {
    server: server.name,
    hint,
  });
}

/** Errors that say more than "the call failed" keep their code. */
const KEPT: ReadonlySet<HostErrorCode> = new Set(["AUTH_REQUIRED", "INTERACTION_REQUIRED", "HOST_CLOSED"]);

function toCallError(error: unknown, server: string): Error {
  if (error instanceof ToolAbortError) return error;
  if (isHostError(error) && KEPT.has(error.code)) return error;
  const hint = isHostError(error) ? error.hint : undefined;
  return new HostError("TOOL_CALL_FAILED", `Tool execution failed: ${messageOf(error)}`, {
    server,
    hint,
    cause: error,
  });
}
