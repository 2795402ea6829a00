import type { AgentTool, JsonObject, ToolProgress } from "../index.ts";

/** A call that a model wants to make. */
export interface WantedCall {
  readonly tool: AgentTool;
  readonly input: JsonObject;
  /** The provider's name for the call, where it has one. */
  readonly id?: string;
}

export type CallDecision = "allow" | "ask" | "deny";

/**
 * May a call be made? `ask` leaves it to the approval that the SDK itself offers; where it offers none, the call is
 * refused as with `deny`. `allow` leaves it to the host, whose own rules hold in any case.
 */
export type DecideCall = (call: WantedCall) => CallDecision | Promise<CallDecision>;

export interface AdapterOptions {
  readonly decide?: DecideCall;
  /** Which media of a tool's answer the model takes, beside the text that names them. Common pictures and PDF unless set. */
  readonly accepts?: (mimeType: string) => boolean;
  readonly onProgress?: (call: WantedCall, progress: ToolProgress) => void;
}
