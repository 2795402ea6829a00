import type { AgentTool, JsonObject, SessionToolsOptions, ToolResult } from "../index.ts";
import type { AdapterOptions, CallDecision, DecideCall } from "./adapter-options.ts";
import { sourceFor } from "./keep-definitions.ts";
import {
  type BoundTool,
  decideAbout,
  type MakeCallOptions,
  makeCall,
  type RequestedCall,
} from "./make-call.ts";
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
  read(options?: SessionToolsOptions): Promise<readonly ConvertedTool[]>;
  /** Returns the names of the tools as last read. Reads them first if that has not happened yet. */
  names(): Promise<ReadonlySet<string>>;
  /** Decides whether a call is allowed, by the name that the model uses. A call that cannot be made is allowed, because `call` explains why. */
  decide(call: RequestedCall, decide: DecideCall | undefined): Promise<CallDecision>;
  /** Makes a call by the name that the model uses. Rejects only if the call is aborted. */
  call(call: RequestedCall, options: MakeCallOptions): Promise<ToolResult | ModelResult>;
}

/** Binds a source to a provider. Converts the tools again whenever they change. */
export function bindTools(
  from: ToolSource,
  rules: SchemaRules,
  options: Pick<AdapterOptions, "keepDefinitions">,
): BoundTools {
  const source = sourceFor(from, options);
  let held: readonly AgentTool[] | undefined;
  let clean: ReadonlyMap<string, ConvertedTool> = new Map();
  let lastRead = 0;
  const read = async (wanted?: SessionToolsOptions): Promise<readonly ConvertedTool[]> => {
    lastRead += 1;
    const thisRead = lastRead;
    const tools = await readTools(source, wanted);
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
  /** Another process may have sent the definitions to the model, so the list is read if that has not happened yet. */
  const findOrRead = async (name: string): Promise<ConvertedTool | undefined> => {
    const found = find(name);
    if (found !== undefined || held !== undefined) return found;
    await read();
    return find(name);
  };
  return {
    read,
    async names() {
      if (held === undefined) await read();
      return new Set([...clean.keys(), ...lastTools(source).map(({ name }) => name)]);
    },
    async decide(call, decide) {
      const tool = await findOrRead(call.name);
      return tool === undefined ? "allow" : decideAbout(tool, call, decide);
    },
    async call(call, options) {
      const tool = await findOrRead(call.name);
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
