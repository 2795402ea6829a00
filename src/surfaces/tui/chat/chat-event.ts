import type { HostError, ToolProgress } from "../../../index.ts";

/** An event during a turn. */
export type ChatEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | {
      readonly type: "call.started";
      /** The provider's id of the call. */
      readonly id: string;
      readonly server: string;
      readonly tool: string;
      readonly args: unknown;
    }
  | { readonly type: "call.progress"; readonly id: string; readonly progress: ToolProgress }
  | {
      readonly type: "call.ended";
      readonly id: string;
      readonly server: string;
      readonly tool: string;
      /** The result as the model reads it, or the error message. */
      readonly text: string;
      readonly isError: boolean;
      readonly ms: number;
    };

/** How a turn ended. */
export type TurnEnd =
  | {
      readonly kind: "done";
      /** Why the answer is incomplete, if it is. */
      readonly cut?: "length" | "content-filter";
    }
  /** The turn reached the limit of steps before the model was done. */
  | { readonly kind: "limit"; readonly steps: number }
  | { readonly kind: "aborted" }
  | { readonly kind: "failed"; readonly error: HostError };
