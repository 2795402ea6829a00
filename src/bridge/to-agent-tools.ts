import {
  type AgentTool,
  type CallOptions,
  isHostError,
  type JsonObject,
  messageOf,
  type Provenance,
  shortLine,
  shortText,
  ToolAbortError,
  type ToolDefinition,
  type ToolResult,
  toToolAbort,
} from "../model/index.ts";
import { convertSchema } from "./schema/convert-schema.ts";
import { visibleSchema } from "./schema/visible-schema.ts";
import type { ToolNames } from "./tool-name.ts";

const LONGEST_DESCRIPTION = 4_096;
const LONGEST_TITLE = 256;

/** The tools of one server. */
export interface ToolSource {
  readonly server: string;
  readonly source: Provenance;
  readonly tools: readonly ToolDefinition[];
  /** The tools whose calls require approval, by the server's own names. */
  readonly asks?: ReadonlySet<string>;
  readonly stale: boolean;
  /** When an earlier run read the tools. */
  readonly cachedAt?: number | undefined;
}

/** Options for `toAgentTools`. */
export interface BridgeOptions {
  readonly names: Pick<ToolNames, "nameOf">;
  /** Makes a call. Rejects if the call fails. */
  invoke(server: string, tool: string, args: JsonObject, options: CallOptions): Promise<ToolResult>;
}

/** Converts servers' tools for an agent. Sorts them by name, so that a model's prompt can be cached. */
export function toAgentTools(sources: readonly ToolSource[], { names, invoke }: BridgeOptions): AgentTool[] {
  return sources
    .flatMap(({ server, source, tools, stale, asks, cachedAt }) =>
      tools.map((definition): AgentTool => {
        const { name: tool, title, description, inputSchema, outputSchema, annotations } = definition;
        return {
          name: names.nameOf({ server, tool }),
          title: shortLine(title ?? annotations?.title ?? tool, LONGEST_TITLE),
          description: shortText(description ?? `MCP tool from ${server}`, LONGEST_DESCRIPTION),
          inputSchema: convertSchema(visibleSchema(inputSchema)), // in this order, because inspections are cached by schema
          server,
          tool,
          approval: asks?.has(tool) === true ? "ask" : "allow",
          stale,
          execute: (args, options = {}) =>
            execute(() => invoke(server, tool, args, options), { server, tool, source }, options.signal),
          // Spread last, because spreading in the middle creates slow objects.
          ...(outputSchema && { outputSchema: visibleSchema(outputSchema) }),
          ...(annotations && { annotations }),
          ...(cachedAt !== undefined && { cachedAt }),
        };
      }),
    )
    .sort(byName);
}

/** Compares tools by name. */
export function byName(left: AgentTool, right: AgentTool): number {
  return left.name < right.name ? -1 : 1;
}

/** The message for a tool that its server has removed. */
function removedToolText(server: string, tool: string): string {
  return `Tool "${tool}" of "${server}" is no longer offered.`;
}

/** Returns the hint of an error if it is useful for a model. Other hints are for people. */
function adviceIn(error: unknown): string {
  const isForModels = isHostError(error, "TOOL_ARGUMENTS_INVALID") || isHostError(error, "TOOL_UNKNOWN");
  return isForModels && error.hint !== undefined ? ` ${error.hint}` : "";
}

/** Makes a call. Adds `Error: ` to the text if the tool failed and `MCP error: ` if the call failed, as the seeds do. */
async function execute(
  call: () => Promise<ToolResult>,
  { server, tool, source }: { server: string; tool: string; source: Provenance },
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  try {
    const result = await call();
    return result.isError ? { ...result, text: `Error: ${result.text}` } : result;
  } catch (error) {
    if (error instanceof ToolAbortError) throw error;
    if (signal?.aborted) throw toToolAbort(signal, server);
    const text = `MCP error: ${isHostError(error, "TOOL_UNKNOWN") ? removedToolText(server, tool) : messageOf(error)}${adviceIn(error)}`;
    const details = { serverName: server, mcpToolName: tool, provider: source.tool, source };
    return { text, parts: [{ type: "text", text }], isError: true, details };
  }
}
