import type { JsonObject, JsonValue } from "./json-value.ts";
import type { Provenance } from "./provenance.ts";
import type { ToolAnnotations } from "./tool-definition.ts";

/** One piece of a tool's answer, for models that take more than text. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly uri: string;
      readonly mimeType?: string;
      readonly text?: string;
      readonly blob?: string;
    }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
    };

/** What a tool answered. `isError` means the tool ran and said no; a broken connection throws instead. */
export interface ToolResult {
  /** Everything a person or a text model can read; never base64. */
  readonly text: string;
  readonly parts: readonly ContentPart[];
  readonly structured?: JsonValue;
  readonly isError: boolean;
  readonly details: {
    readonly serverName: string;
    readonly mcpToolName: string;
    readonly source: Provenance;
  };
}

export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface CallOptions {
  /** The sign-in to use, where the person has several for that server. */
  readonly account?: string | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ToolProgress) => void;
  /** Sent along as the request's `_meta`, such as a trace context (`traceparent`, `tracestate`, `baggage`). */
  readonly meta?: JsonObject;
}

/** A tool as an agent holds it. */
export interface AgentTool {
  /** `mcp_<server>_<tool>`, valid for every model provider. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** The configured server. */
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool: string;
  /** The definition is older than its time to live; it is refreshed at the next connection. */
  readonly stale: boolean;
  /** Never throws but for an abort (`ToolAbortError`): failures come back as text. */
  execute(args: JsonObject, options?: CallOptions): Promise<ToolResult>;
}
