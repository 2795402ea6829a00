import type { HostError, ToolProgress } from "../../../index.ts";

/** What happens in a turn, as it happens. */
export type ChatEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | {
      readonly type: "call.started";
      /** The provider's name for the call. */
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
      /** What it answered, as the model reads it; or why it did not. */
      readonly text: string;
      readonly isError: boolean;
      readonly ms: number;
    };

/** How a turn ended. */
export type TurnEnd =
  | {
      readonly kind: "done";
      /** Why the answer ends before its end, where it does. */
      readonly cut?: "length" | "content-filter";
    }
  /** The model wanted to go on, but it has had its steps. */
  | { readonly kind: "limit"; readonly steps: number }
  | { readonly kind: "aborted" }
  | { readonly kind: "failed"; readonly error: HostError };
