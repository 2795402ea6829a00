import { type AgentTool, type JsonObject, messageOf, type ToolResult } from "../index.ts";
import type { AdapterOptions, CallDecision, DecideCall, WantedCall } from "./adapter-options.ts";
import type { Answer } from "./model-content.ts";

/** A tool as an adapter hands it out: `restore` undoes what its schema was cleaned of. */
export interface BoundTool {
  readonly tool: AgentTool;
  restore(args: JsonObject): JsonObject;
}

/** A call as the model asks for it. */
export interface AskedCall {
  readonly name: string;
  readonly args: unknown;
  readonly id?: string;
}

export interface CallSetting extends Pick<AdapterOptions, "decide" | "onProgress"> {
  readonly signal?: AbortSignal | undefined;
  /** Has the SDK asked a person by now, for every call that `needsApproval` said it of? */
  readonly asks?: boolean;
  /** The names to suggest in place of an unknown one. */
  readonly namesLike?: (name: string) => readonly string[];
}

/** Makes a call; what the host's own rules say of it holds, whatever is decided here. Never throws but for an abort. */
export async function makeCall(
  bound: BoundTool | undefined,
  { name, args, id }: AskedCall,
  { decide, onProgress, signal, asks = false, namesLike }: CallSetting,
): Promise<ToolResult | Answer> {
  if (bound === undefined) {
    const others = namesLike?.(name) ?? [];
    const advice = others.length === 0 ? "" : ` Call one of: ${others.join(", ")}.`;
    return refusal(`There is no tool "${name}".${advice}`);
  }
  const input = readInput(args);
  if (typeof input === "string") return refusal(input);
  const call = toCall(bound, input, id);
  let decision: CallDecision;
  try {
    decision = asks ? await decideCall(call, decide) : ((await decide?.(call)) ?? "allow");
  } catch (error) {
    if (signal?.aborted) throw error;
    return refusal(`The call was not approved: ${messageOf(error)}.`);
  }
  if (decision === "deny" || (decision === "ask" && !asks)) return refusal("The call was not approved.");
  return bound.tool.execute(call.input, {
    ...(signal && { signal }),
    ...(decision === "ask" && { approved: true }),
    ...(onProgress && { onProgress: (progress) => onProgress(call, progress) }),
  });
}

/** Is the SDK to ask a person first? The program decides, or else the host's rules. */
export async function needsApproval(
  bound: BoundTool,
  { args, id }: Omit<AskedCall, "name">,
  decide: DecideCall | undefined,
): Promise<boolean> {
  const input = readInput(args);
  return typeof input !== "string" && (await decideCall(toCall(bound, input, id), decide)) === "ask";
}

function toCall({ tool, restore }: BoundTool, input: JsonObject, id: string | undefined): WantedCall {
  return { tool, input: restore(input), ...(id !== undefined && { id }) };
}

async function decideCall(call: WantedCall, decide: DecideCall | undefined): Promise<CallDecision> {
  return decide === undefined ? call.tool.approval : decide(call);
}

/** In the words of a call that broke. */
function refusal(reason: string): Answer {
  const text = `MCP error: ${reason}`;
  return { text, parts: [{ type: "text", text }], isError: true };
}

/** A model writes its arguments as JSON; none at all are no arguments. */
function readInput(args: unknown): JsonObject | string {
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
