import type { AgentTool, JsonObject } from "../index.ts";
import type { BoundTool } from "./make-call.ts";
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
  /** Finds a tool of the last step, because the model may call what it was given. Otherwise finds one that was added since. */
  find(name: string): ConvertedTool | undefined;
  /** Returns the names with a hash that replaced a name shared by several tools. */
  namesLike(name: string): string[];
}

/** Binds a source to a provider. Converts the tools again whenever they change. */
export function bindTools(source: ToolSource, rules: SchemaRules): BoundTools {
  let held: readonly AgentTool[] | undefined;
  let clean: ReadonlyMap<string, ConvertedTool> = new Map();
  let lastRead = 0;
  return {
    async read() {
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
    },
    find: (name) => {
      const newer = (): AgentTool | undefined => lastTools(source).find((tool) => tool.name === name);
      const tool = clean.get(name) ?? newer();
      return tool && "schema" in tool ? tool : tool && convertTool(tool, rules);
    },
    namesLike(name) {
      const all = lastTools(source).map((tool) => tool.name);
      return all.filter(
        (each) => each.startsWith(`${name}_`) && /^[0-9a-f]{8}$/.test(each.slice(name.length + 1)),
      );
    },
  };
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
