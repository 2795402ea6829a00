import { type AiSdkTool, aiSdkTools } from "../adapters/ai-sdk/index.ts";
import type { AgentTool, CallOptions, JsonObject, ToolResult } from "../index.ts";

/** A tool for the AI SDK's `generateText({ tools })`. It can also be called without the SDK. */
export interface McpTool
  extends Omit<AgentTool, "inputSchema" | "outputSchema" | "execute">,
    Pick<AiSdkTool, "type" | "needsApproval" | "toModelOutput"> {
  /** The JSON Schema of the arguments. The AI SDK recognizes it as one of its own schemas. */
  readonly inputSchema: JsonObject & AiSdkTool["inputSchema"];
  /** Calls the tool. */
  execute(input: unknown, options?: CallOptions & SdkCallOptions): Promise<ToolResult>;
}

/** The options that the AI SDK passes to a call. */
interface SdkCallOptions {
  readonly toolCallId?: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Converts tools for the AI SDK, keyed by the tool names that the server defines. */
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
      // Only the SDK passes an id. It has already asked a person if `needsApproval` returned `true`.
      if (toolCallId === undefined)
        return tool.execute(input as JsonObject, { ...options, ...(signal && { signal }) });
      return (await sdkTool.execute(input, { ...options, toolCallId, abortSignal: signal })) as ToolResult;
    },
  };
}

/** Adds the properties by which the SDK recognizes a schema. They are not enumerable, so they do not appear in JSON. */
function withSchema(schema: JsonObject, marks: AiSdkTool["inputSchema"]): McpTool["inputSchema"] {
  const descriptors = Object.getOwnPropertyDescriptors(marks) as Record<PropertyKey, PropertyDescriptor>;
  const marked: object = { ...schema };
  for (const key of Reflect.ownKeys(descriptors))
    Object.defineProperty(marked, key, { ...descriptors[key], enumerable: false });
  return marked as McpTool["inputSchema"];
}
