import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { Provenance } from "../server/provenance.ts";
import type { ToolAnnotations } from "./tool-definition.ts";

/** One piece of a tool's answer, for models that take more than text. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "audio";
      /** Base64. */
      readonly data: string;
      readonly mimeType: string;
      /** Where its bytes were written. */
      readonly path?: string;
    }
  | {
      readonly type: "resource";
      readonly uri: string;
      readonly mimeType?: string;
      readonly text?: string;
      readonly blob?: string;
      /** Where its bytes were written. */
      readonly path?: string;
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
    /** The product whose file declares the server. */
    readonly provider: string;
    readonly source: Provenance;
    /** What was written to the artifact folder instead of the text. */
    readonly artifacts?: readonly ArtifactReference[];
    /** How the answer differs from what the tool promised; `structured` is left out then. */
    readonly outputProblem?: string;
  };
}

/** A file that holds a part of an answer. */
export interface ArtifactReference {
  readonly path: string;
  readonly bytes: number;
  readonly mimeType: string;
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
  /** Text beyond this many characters goes to a file, with a preview in its place; the settings say how many otherwise. */
  readonly textLimit?: number;
  /** A person has agreed to this very call already. */
  readonly approved?: boolean;
  /** Sent along as the request's `_meta`, such as a trace context (`traceparent`, `tracestate`, `baggage`). */
  readonly meta?: JsonObject;
}

/** A call that a person is asked for. */
export interface CallRequest {
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** The rule that says so. */
  readonly rule: string;
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
  /** Is a person asked before each call? */
  readonly approval: "allow" | "ask";
  /** The definition is older than its time to live; it is refreshed at the next connection. */
  readonly stale: boolean;
  /** When its server listed it (ms since 1970), if the list is from an earlier run and not from the server now. */
  readonly cachedAt?: number;
  /** Never throws but for an abort (`ToolAbortError`): failures come back as text. */
  execute(args: JsonObject, options?: CallOptions): Promise<ToolResult>;
}
