import { type AgentTool, type JsonObject, messageOf, type ToolResult } from "../index.ts";
import type { AdapterOptions, CallDecision, DecideCall, WantedCall } from "./adapter-options.ts";
import type { ModelResult } from "./model-content.ts";

/** A tool of an adapter. `restore` converts arguments back from the provider's schema to the tool's own. */
export interface BoundTool {
  readonly tool: AgentTool;
  restore(args: JsonObject): JsonObject;
}

/** A call as the model requests it. */
export interface RequestedCall {
  readonly name: string;
  readonly args: unknown;
  readonly id?: string;
}

/** How to make a call. */
export interface MakeCallOptions extends Pick<AdapterOptions, "decide" | "onProgress"> {
  readonly signal?: AbortSignal | undefined;
  /** `true` if the SDK has already asked a person about each call for which `needsApproval` returned `true`. */
  readonly asks?: boolean;
  /** Asks a person about a call that requires approval, in an SDK that cannot do so before the call. */
  readonly ask?: ((call: WantedCall) => boolean | Promise<boolean>) | undefined;
  /** Returns whether an error of `decide` or `ask` controls the SDK's loop and must reach it. */
  readonly isControlFlow?: (error: unknown) => boolean;
  /** Returns names to suggest instead of an unknown name. */
  readonly namesLike?: (name: string) => readonly string[];
}

/** Makes a call. The host's own rules always apply. Rejects only if the call is aborted. */
export async function makeCall(
  bound: BoundTool | undefined,
  { name, args, id }: RequestedCall,
  { decide, onProgress, signal, asks = false, ask, isControlFlow, namesLike }: MakeCallOptions,
): Promise<ToolResult | ModelResult> {
  if (bound === undefined) {
    const others = namesLike?.(name) ?? [];
    const advice = others.length === 0 ? "" : ` Call one of: ${others.join(", ")}.`;
    return refusal(`Unknown tool "${name}".${advice}`);
  }
  const input = readInput(args);
  if (typeof input === "string") return refusal(input);
  const call = toCall(bound, input, id);
  let decision: CallDecision;
  let isApproved = false;
  try {
    // Without a way to ask a person here, only the program decides. The host then asks by its own rules.
    decision = asks || ask ? await decideCall(call, decide) : ((await decide?.(call)) ?? "allow");
    if (decision === "ask") isApproved = asks || (await ask?.(call)) === true;
  } catch (error) {
    if (signal?.aborted || isControlFlow?.(error)) throw error;
    return refusal(`The call was not approved: ${messageOf(error)}.`);
  }
  if (decision === "deny" || (decision === "ask" && !isApproved))
    return refusal("The call was not approved.");
  return bound.tool.execute(call.input, {
    ...(signal && { signal }),
    ...(isApproved && { approved: true }),
    ...(onProgress && { onProgress: (progress) => onProgress(call, progress) }),
  });
}

/** Returns whether the SDK must ask a person first. */
export async function needsApproval(
  bound: BoundTool,
  call: Omit<RequestedCall, "name">,
  decide: DecideCall | undefined,
): Promise<boolean> {
  return (await decideAbout(bound, call, decide)) === "ask";
}

/** Decides whether a call is allowed, before it is made. The program decides, or else the host's rules. Invalid arguments are refused later. */
export async function decideAbout(
  bound: BoundTool,
  { args, id }: Omit<RequestedCall, "name">,
  decide: DecideCall | undefined,
): Promise<CallDecision> {
  const input = readInput(args);
  return typeof input === "string" ? "allow" : decideCall(toCall(bound, input, id), decide);
}

function toCall({ tool, restore }: BoundTool, input: JsonObject, id: string | undefined): WantedCall {
  return { tool, input: restore(input), ...(id !== undefined && { id }) };
}

async function decideCall(call: WantedCall, decide: DecideCall | undefined): Promise<CallDecision> {
  return decide === undefined ? call.tool.approval : decide(call);
}

/** Formats a refusal like a failed call. */
function refusal(reason: string): ModelResult {
  const text = `MCP error: ${reason}`;
  return { text, parts: [{ type: "text", text }], isError: true };
}

/** Parses the arguments, which a model may write as JSON text. Empty text means no arguments. Returns an error message if it fails. */
function readInput(args: unknown): JsonObject | string {
  if (args === undefined || args === null || args === "") return {};
  let value: unknown = args;
  if (typeof args === "string") {
    try {
      value = JSON.parse(args);
    } catch (error) {
      return `The arguments are not valid JSON: ${messageOf(error)}.`;
    }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return "The arguments must be an object.";
  return value as JsonObject;
}
