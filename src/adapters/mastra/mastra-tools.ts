import type { AgentTool, SessionToolsOptions } from "../../index.ts";
import type { AdapterOptions } from "../adapter-options.ts";
import type { AiSdkOutput, AiSdkTool, ModelOutput } from "../ai-sdk/index.ts";
import { toAiSdkTool } from "../ai-sdk/to-ai-sdk-tool.ts";
import { sourceFor } from "../keep-definitions.ts";
import type { SchemaRules } from "../schema/provider-schema.ts";
import { readTools, type ToolSource } from "../tool-source.ts";

/** Options for `mastraTools`. */
export interface MastraOptions extends AdapterOptions {
  /** The provider whose rules the schemas follow. Default: `"any"`, which leaves schemas as the servers wrote them. */
  readonly schemas?: SchemaRules;
}

/** A tool for a Mastra agent. */
export interface MastraTool extends Pick<AiSdkTool, "title" | "description" | "inputSchema"> {
  /** The name that the model uses. */
  readonly id: string;
  /** `false`, because Mastra would otherwise convert the schema once more, and check arguments that the host checks. */
  readonly strict: false;
  /** Returns whether Mastra must suspend the run until a person approves this call. */
  needsApproval(input: unknown): Promise<boolean>;
  /** Calls the tool. */
  execute(
    input: unknown,
    context: { readonly toolCallId: string; readonly abortSignal?: AbortSignal | undefined },
  ): Promise<AiSdkOutput>;
  /** Converts a result for the model. */
  toModelOutput(output: unknown): ModelOutput;
}

/** Converts the current tools of a session or a list for a Mastra agent: `new Agent({ tools: () => mastraTools(session) })`. */
export async function mastraTools(
  source: ToolSource,
  options: MastraOptions & SessionToolsOptions = {},
): Promise<Record<string, MastraTool>> {
  const tools = await readTools(sourceFor(source, options), options);
  return Object.fromEntries(tools.map((tool) => [tool.name, toMastraTool(tool, options)]));
}

function toMastraTool(tool: AgentTool, options: MastraOptions): MastraTool {
  const sdkTool = toAiSdkTool(tool, options);
  return {
    id: tool.name,
    title: tool.title,
    description: tool.description,
    strict: false,
    get inputSchema() {
      return sdkTool.inputSchema;
    },
    needsApproval: (input) => sdkTool.needsApproval(input),
    execute: async (input, context) => (await sdkTool.execute(input, context)) as AiSdkOutput,
    toModelOutput: (output) => sdkTool.toModelOutput({ output }),
  };
}
