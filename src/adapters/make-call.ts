import { type AgentTool, type JsonObject, messageOf } from "../index.ts";
import type { AdapterOptions, WantedCall } from "./adapter-options.ts";
import type { Answer } from "./model-content.ts";

/** A tool as an adapter hands it out: `restore` undoes what its schema was cleaned of. */
export interface BoundTool {
  readonly tool: AgentTool;
  restore(args: JsonObject): JsonObject;
}

/** Makes a call where nobody but `decide` can be asked for it. Never throws but for an abort. */
export async function makeCall(
  bound: BoundTool | undefined,
  { name, args, id }: { readonly name: string; readonly args: unknown; readonly id?: string },
  { decide, onProgress }: AdapterOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  if (bound === undefined) return refusal(`There is no tool "${name}".`);
  const input = readInput(args);
  if (typeof input === "string") return refusal(input);
  const call: WantedCall = { tool: bound.tool, input: bound.restore(input), ...(id !== undefined && { id }) };
  if (decide !== undefined && (await decide(call)) !== "allow") return refusal("The call was not approved.");
  return bound.tool.execute(call.input, {
    ...(signal && { signal }),
    ...(onProgress && { onProgress: (progress) => onProgress(call, progress) }),
  });
}

/** In the words of a call that broke. */
export function refusal(reason: string): Answer {
  const text = `MCP error: ${reason}`;
  return { text, parts: [{ type: "text", text }], isError: true };
}

/** A model writes its arguments as JSON; none at all are no arguments. */
export function readInput(args: unknown): JsonObject | string {
  if (args === undefined || args === null || args === "") return {};
  let value: unknown = args;
  if (typeof args === "string") {
    try {
      value = JSON.parse(args);
    } catch (error) {
      return `The arguments are not JSON: ${messageOf(error)}.`;
    }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return "The arguments must be an object.";
  return value as JsonObject;
}
