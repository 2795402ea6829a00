import type { AgentTool, JsonObject, ToolProgress } from "../index.ts";

/** A tool call that a model requests. */
export interface WantedCall {
  /** The tool. */
  readonly tool: AgentTool;
  /** The arguments. */
  readonly input: JsonObject;
  /** The provider's id of the call, if it has one. */
  readonly id?: string;
}

/** Whether a call is allowed, requires approval, or is denied. */
export type CallDecision = "allow" | "ask" | "deny";

/**
 * Decides whether a call is allowed. `"ask"` uses the SDK's own approval mechanism; in an SDK without one, the call is refused as with `"deny"`.
 * The host's own rules always apply, even after `"allow"`.
 */
export type DecideCall = (call: WantedCall) => CallDecision | Promise<CallDecision>;

/** Options of all adapters. */
export interface AdapterOptions {
  /** Decides whether each call is allowed. Default: the host's rules. */
  readonly decide?: DecideCall;
  /**
   * Returns whether the model accepts media of a type. Accepted media of a tool's result are sent along with its text. Default: PNG,
   * JPEG, GIF, WebP and PDF.
   */
  readonly accepts?: (mimeType: string) => boolean;
  /**
   * `true` keeps the definitions of a session's tools in place, so that the provider's prompt cache stays valid: new tools are appended,
   * changed tools are appended with a new name, and removed tools stay, but their calls fail. Default: `false`.
   */
  readonly keepDefinitions?: boolean;
  /** Receives the progress of each call. */
  readonly onProgress?: (call: WantedCall, progress: ToolProgress) => void;
}
