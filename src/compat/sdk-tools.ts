import { type AiSdkTool, aiSdkTools } from "../adapters/ai-sdk/index.ts";
import type { AgentTool, CallOptions, JsonObject, ToolResult } from "../index.ts";

/** A tool that `generateText({ tools })` of the AI SDK takes, and that can be called without the SDK too. */
export interface McpTool
  extends Omit<AgentTool, "inputSchema" | "outputSchema" | "execute">,
    Pick<AiSdkTool, "type" | "needsApproval" | "toModelOutput"> {
  /** Plain JSON Schema, which the SDK recognises as a schema of its own. */
  readonly inputSchema: JsonObject & AiSdkTool["inputSchema"];
  execute(input: unknown, options?: CallOptions & SdkCallOptions): Promise<ToolResult>;
}

/** What the SDK says of a call. */
interface SdkCallOptions {
  readonly toolCallId?: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** By the names that the server gives its tools. */
export async function toSdkTools(tools: readonly AgentTool[]): Promise<Readonly<Record<string, McpTool>>> {
  const ofSdk = (await aiSdkTools(tools)).snapshot();
  const byName: Record<string, McpTool> = Object.create(null);
  for (const tool of tools) {
    const sdkTool = ofSdk[tool.name];
    if (sdkTool !== undefined) byName[tool.tool] = toMcpTool(tool, sdkTool);
  }
  return byName;
}

function toMcpTool({ outputSchema: _, ...tool }: AgentTool, sdkTool: AiSdkTool): McpTool {
  const { type, needsApproval, toModelOutput } = sdkTool;
  return {
    ...tool,
    type,
    needsApproval,
    toModelOutput,
    inputSchema: withSchema(tool.inputSchema, sdkTool.inputSchema),
    async execute(input, { toolCallId, abortSignal, ...options } = {}) {
      const signal = abortSignal ?? options.signal;
      // Only the SDK gives an id: it has asked a person by now, if `needsApproval` said so.
      if (toolCallId === undefined)
        return tool.execute(input as JsonObject, { ...options, ...(signal && { signal }) });
      let last: unknown;
      for await (const output of sdkTool.execute(input, { toolCallId, abortSignal: signal })) last = output;
      return last as ToolResult;
    },
  };
}

/** The marks by which the SDK knows a schema, where no JSON text shows them. */
function withSchema(schema: JsonObject, marks: AiSdkTool["inputSchema"]): McpTool["inputSchema"] {
  const descriptors = Object.getOwnPropertyDescriptors(marks) as Record<PropertyKey, PropertyDescriptor>;
  const marked: object = { ...schema };
  for (const key of Reflect.ownKeys(descriptors))
    Object.defineProperty(marked, key, { ...descriptors[key], enumerable: false });
  return marked as McpTool["inputSchema"];
}
