import type { InteractionReason } from "./host-error.ts";
import type { Problem } from "./problem.ts";
import type { ServerState } from "./server/server-state.ts";
import type { ToolProgress } from "./tools/agent-tool.ts";

/** The lists a server keeps, each announced on its own when it changes. */
export type CatalogKind = "tools" | "resources" | "prompts";

/** What changed. State itself is pulled with `host.snapshot()`. */
export type HostEvent =
  /** A server is in another state of its life. */
  | { readonly type: "server.state"; readonly server: string; readonly state: ServerState }
  /** A list of a server was read again, and is not what it was. */
  | {
      readonly type: "catalog.changed";
      readonly server: string;
      readonly kind: CatalogKind;
      readonly revision: number;
    }
  /** What a server offers an agent may be different: its list or its entry changed, or a person accepted what did. */
  | { readonly type: "tools.changed"; readonly server: string }
  /** A person would have been needed, and there was nobody to ask. */
  | { readonly type: "input.needed"; readonly server: string; readonly reason: InteractionReason }
  /** How far a call is. Dropped where they come too fast; the caller's own `onProgress` gets them all. */
  | {
      readonly type: "call.progress";
      readonly server: string;
      readonly tool: string;
      readonly progress: ToolProgress;
    }
  /** What a server logged. May be dropped under load. */
  | {
      readonly type: "log";
      readonly server: string;
      readonly level: "debug" | "info" | "warn" | "error";
      readonly logger?: string;
      readonly message: string;
    }
  /** Something is wrong that stops nothing else. */
  | { readonly type: "problem"; readonly problem: Problem };

export type HostListener = (event: HostEvent) => void;
