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
} from "../model/index.ts";
import { convertSchema } from "./schema/convert-schema.ts";
import { visibleSchema } from "./schema/visible-schema.ts";
import type { ToolNames } from "./tool-name.ts";

const LONGEST_DESCRIPTION = 4_096;
const LONGEST_TITLE = 256;

/** The tools of one server, as its catalog has them. */
export interface ToolSource {
  readonly server: string;
  readonly source: Provenance;
  readonly tools: readonly ToolDefinition[];
  /** Those of which a call is to be asked for, by their own names. */
  readonly asks?: ReadonlySet<string>;
  readonly stale: boolean;
  /** When an earlier run read them. */
  readonly cachedAt?: number | undefined;
}

export interface BridgeOptions {
  readonly names: Pick<ToolNames, "nameOf">;
  /** Makes the call. Rejects when it could not be made or not be answered. */
  invoke(server: string, tool: string, args: JsonObject, options: CallOptions): Promise<ToolResult>;
}

/** Servers' tools as an agent holds them, ordered by name so that a model's prompt stays the same. */
export function toAgentTools(sources: readonly ToolSource[], { names, invoke }: BridgeOptions): AgentTool[] {
  return sources
    .flatMap(({ server, source, tools, stale, asks, cachedAt }) =>
      tools.map((definition): AgentTool => {
        const { name: tool, title, description, inputSchema, outputSchema, annotations } = definition;
        return {
          name: names.nameOf({ server, tool }),
          title: shortLine(title ?? annotations?.title ?? tool, LONGEST_TITLE),
          description: shortText(description ?? `MCP tool from ${server}`, LONGEST_DESCRIPTION),
          inputSchema: convertSchema(visibleSchema(inputSchema)), // in this order: what was looked over is known again
          server,
          tool,
          approval: asks?.has(tool) === true ? "ask" : "allow",
          stale,
          execute: (args, options = {}) =>
            execute(() => invoke(server, tool, args, options), { server, tool, source }, options.signal),
          // Last: what is spread into the middle makes a slow kind of object, ten thousand times.
          ...(outputSchema && { outputSchema: visibleSchema(outputSchema) }),
          ...(annotations && { annotations }),
          ...(cachedAt !== undefined && { cachedAt }),
        };
      }),
    )
    .sort(byName);
}

/** The order in which an agent holds its tools. */
export function byName(left: AgentTool, right: AgentTool): number {
  return left.name < right.name ? -1 : 1;
}

/** It was offered once, or nobody would hold it. */
function goneText(server: string, tool: string): string {
  return `Tool "${tool}" of "${server}" is no longer offered.`;
}

/** What a model can do about it; other hints are for a person. */
function adviceIn(error: unknown): string {
  const isForModels = isHostError(error, "TOOL_ARGUMENTS_INVALID") || isHostError(error, "TOOL_UNKNOWN");
  return isForModels && error.hint !== undefined ? ` ${error.hint}` : "";
}

/** The seeds' wording: `Error: …` for a tool that said no, `MCP error: …` for a call that broke. */
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
    if (signal?.aborted) throw new ToolAbortError(undefined, { cause: error });
    const text = `MCP error: ${isHostError(error, "TOOL_UNKNOWN") ? goneText(server, tool) : messageOf(error)}${adviceIn(error)}`;
    const details = { serverName: server, mcpToolName: tool, provider: source.tool, source };
    return { text, parts: [{ type: "text", text }], isError: true, details };
  }
}
