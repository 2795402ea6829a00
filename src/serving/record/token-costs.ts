import { estimateTokens } from "../../bridge/index.ts";
import { type AgentTool, isJsonObject, type JsonObject, type ToolDefinition } from "../../model/index.ts";

/** Estimates of definitions, which are the same objects as long as a server's list is the same. */
const known = new WeakMap<ToolDefinition, number>();

/** Estimates what a tool's definition costs a model, in tokens. */
export function tokensOf(definition: ToolDefinition): number {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const { name, description, inputSchema } = definition;
  const tokens = estimate({ name, description, inputSchema });
  known.set(definition, tokens);
  return tokens;
}

/** Estimates what a definition costs as it is sent. */
export function tokensOfValue({ name, description, inputSchema }: JsonObject): number {
  return estimate({
    name: typeof name === "string" ? name : "",
    description: typeof description === "string" ? description : undefined,
    inputSchema: isJsonObject(inputSchema) ? inputSchema : {},
  });
}

function estimate({
  name,
  description = "",
  inputSchema,
}: {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: JsonObject;
}): number {
  const tool: AgentTool = {
    name,
    title: name,
    description,
    inputSchema,
    server: "",
    tool: name,
    approval: "allow",
    stale: false,
    execute: () => Promise.reject(new TypeError("Only its definition counts.")),
  };
  return estimateTokens([tool]);
}
