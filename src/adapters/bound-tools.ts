import type { AgentTool, JsonObject } from "../index.ts";
import type { BoundTool } from "./make-call.ts";
import type { SchemaRules } from "./schema/provider-schema.ts";
import { toProviderSchema } from "./schema/to-provider-schema.ts";
import { heldTools, readTools, type ToolSource } from "./tool-source.ts";

/** A tool with its schema as a provider takes it. */
export interface CleanTool extends BoundTool {
  readonly schema: JsonObject;
  readonly strict: boolean;
}

export interface BoundTools {
  /** The tools for the next step. */
  read(): Promise<readonly CleanTool[]>;
  /** A tool of the last step, or else one that came since: a model may call what it was shown. */
  find(name: string): CleanTool | undefined;
}

/** The tools of a source, cleaned for a provider once for each time they change. */
export function bindTools(source: ToolSource, rules: SchemaRules): BoundTools {
  let held: readonly AgentTool[] | undefined;
  let clean: ReadonlyMap<string, CleanTool> = new Map();
  const cleaned = (tools: readonly AgentTool[]): ReadonlyMap<string, CleanTool> =>
    new Map(tools.map((tool) => [tool.name, cleanTool(tool, rules)]));
  return {
    async read() {
      const tools = await readTools(source);
      if (tools !== held) {
        held = tools;
        clean = cleaned(tools);
      }
      return [...clean.values()];
    },
    find: (name) => {
      const newer = (): AgentTool | undefined => heldTools(source).find((tool) => tool.name === name);
      const tool = clean.get(name) ?? newer();
      return tool && "schema" in tool ? tool : tool && cleanTool(tool, rules);
    },
  };
}

export function cleanTool(tool: AgentTool, rules: SchemaRules): CleanTool {
  const { schema, restore, strict = false } = toProviderSchema(tool.inputSchema, rules);
  return { tool, schema, restore, strict };
}
