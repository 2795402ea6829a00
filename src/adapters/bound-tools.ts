import type { AgentTool, JsonObject, ToolResult } from "../index.ts";
import { type BoundTool, type MakeCallOptions, makeCall, type RequestedCall } from "./make-call.ts";
import type { ModelResult } from "./model-content.ts";
import type { SchemaRules } from "./schema/provider-schema.ts";
import { toProviderSchema } from "./schema/to-provider-schema.ts";
import { lastTools, readTools, type ToolSource } from "./tool-source.ts";
import { forEachYielding } from "./yielding.ts";

/** A tool with its schema converted for a provider. */
export interface ConvertedTool extends BoundTool {
  readonly schema: JsonObject;
  readonly strict: boolean;
}

/** The tools of a source, converted for a provider. */
export interface BoundTools {
  /** Returns the tools for the next step. */
  read(): Promise<readonly ConvertedTool[]>;
  /** Makes a call by the name that the model uses. Rejects only if the call is aborted. */
  call(call: RequestedCall, options: MakeCallOptions): Promise<ToolResult | ModelResult>;
}

/** Binds a source to a provider. Converts the tools again whenever they change. */
export function bindTools(source: ToolSource, rules: SchemaRules): BoundTools {
  let held: readonly AgentTool[] | undefined;
  let clean: ReadonlyMap<string, ConvertedTool> = new Map();
  let lastRead = 0;
  const read = async (): Promise<readonly ConvertedTool[]> => {
    lastRead += 1;
    const thisRead = lastRead;
    const tools = await readTools(source);
    if (tools === held) return [...clean.values()];
    const mine = await cleanTools(tools, rules);
    if (thisRead === lastRead) {
      held = tools;
      clean = mine;
    }
    return [...mine.values()];
  };
  /** Finds a tool of the last step, because the model may call what it was given. Otherwise finds one that was added since. */
  const find = (name: string): ConvertedTool | undefined => {
    const newer = (): AgentTool | undefined => lastTools(source).find((tool) => tool.name === name);
    const tool = clean.get(name) ?? newer();
    return tool && "schema" in tool ? tool : tool && convertTool(tool, rules);
  };
  return {
    read,
    async call(call, options) {
      let tool = find(call.name);
      if (tool === undefined && held === undefined) {
        await read(); // another process may have sent the definitions to the model
        tool = find(call.name);
      }
      return makeCall(tool, call, { ...options, namesLike: (name) => namesLike(name, lastTools(source)) });
    },
  };
}

/** Returns the names with a hash that replaced a name shared by several tools. */
function namesLike(name: string, tools: readonly AgentTool[]): string[] {
  return tools
    .map((tool) => tool.name)
    .filter((each) => each.startsWith(`${name}_`) && /^[0-9a-f]{8}$/.test(each.slice(name.length + 1)));
}

async function cleanTools(
  tools: readonly AgentTool[],
  rules: SchemaRules,
): Promise<ReadonlyMap<string, ConvertedTool>> {
  const clean = new Map<string, ConvertedTool>();
  await forEachYielding(tools, (tool) => clean.set(tool.name, convertTool(tool, rules)));
  return clean;
}

/** Converts a tool's schema for a provider. */
export function convertTool(tool: AgentTool, rules: SchemaRules): ConvertedTool {
  const { schema, restore, strict = false } = toProviderSchema(tool.inputSchema, rules);
  return { tool, schema, restore, strict };
}
