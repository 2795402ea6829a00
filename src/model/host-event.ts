import type { HostErrorCode, InteractionReason } from "./host-error.ts";
import type { Problem } from "./problem.ts";
import type { SandboxDenial } from "./server/sandbox-profile.ts";
import type { ServerState } from "./server/server-state.ts";
import type { ToolProgress } from "./tools/agent-tool.ts";

/** The lists that a server provides. Changes are announced per list. */
export type CatalogKind = "tools" | "resources" | "prompts";

/** An event that a host publishes. For the current state, call `host.snapshot()`. */
export type HostEvent = PublishedEvent & {
  /** The person that the event is about. Absent for the host's own user. */
  readonly principal?: string;
};

/** What an event reports. */
export type PublishedEvent =
  /** A server's state changed. The details depend on `state`. */
  | ({ readonly type: "server.state"; readonly server: string } & ServerState)
  /** One of a server's lists was read again and changed. `revision` increases with every change. */
  | {
      readonly type: "catalog.changed";
      readonly server: string;
      readonly kind: CatalogKind;
      readonly revision: number;
    }
  /** The tools that a server offers to agents may have changed: its list, its entry, or what the user approved. */
  | { readonly type: "tools.changed"; readonly server: string }
  /** The user's input was needed, but there was no handler to ask for it. */
  | { readonly type: "input.needed"; readonly server: string; readonly reason: InteractionReason }
  /** A server's sandbox refused something for the first time. Published once for each path and host. */
  | ({ readonly type: "sandbox.denied"; readonly server: string } & SandboxDenial)
  /** A call started. Its `call.finished` event has the same `id`. */
  | ({ readonly type: "call.started" } & CallInfo)
  /** A call has ended. */
  | ({ readonly type: "call.finished" } & CallOutcome)
  /** The progress of a call. Published at a limited rate; the caller's `onProgress` receives every notification. */
  | {
      readonly type: "call.progress";
      readonly server: string;
      readonly tool: string;
      readonly progress: ToolProgress;
    }
  /** A message that a server logged. May be dropped under load. */
  | {
      readonly type: "log";
      readonly server: string;
      readonly level: "debug" | "info" | "warn" | "error";
      readonly logger?: string;
      readonly message: string;
    }
  /** A problem with one file, entry, server or tool. Everything else keeps working. */
  | { readonly type: "problem"; readonly problem: Problem };

/** The call that an event is about. */
export interface CallInfo {
  /** Identifies the call within its host. */
  readonly id: number;
  /** A tool, a resource, a prompt, or a request from the server. */
  readonly kind: "tool" | "resource" | "prompt" | "elicitation" | "sampling";
  /** The server's name. */
  readonly server: string;
  /** The server's name for the tool, the URI of the resource, the name of the prompt, or the method of the server's request. */
  readonly tool: string;
}

/** How a call ended. */
export interface CallOutcome extends CallInfo {
  /** The time from the call to its end, including the start of the server and the wait for a person. */
  readonly durationMs: number;
  /** `error` is a result with `isError`; `failed` means that there is no result. */
  readonly outcome: "ok" | "error" | "failed" | "cancelled";
  /** The size of the text and media that the caller received. */
  readonly bytes: number;
  /** Set if the outcome is `failed`. */
  readonly errorCode?: HostErrorCode;
}

/** Receives a host's events. */
export type HostListener = (event: HostEvent) => void;
