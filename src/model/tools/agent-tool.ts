import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { Provenance } from "../server/provenance.ts";
import type { SandboxDenial } from "../server/sandbox-profile.ts";
import type { ToolAnnotations } from "./tool-definition.ts";

/** One part of a tool's result. Use the parts for models that accept more than text. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "audio";
      /** The content, encoded as base64. */
      readonly data: string;
      readonly mimeType: string;
      /** The file that the decoded content was written to. */
      readonly path?: string;
      /** What the program's `artifacts` function returned for the content. */
      readonly reference?: string;
    }
  | {
      readonly type: "resource";
      readonly uri: string;
      readonly mimeType?: string;
      /** The content of a text resource. */
      readonly text?: string;
      /** The content of a binary resource, encoded as base64. */
      readonly blob?: string;
      /** The file that the decoded content was written to. */
      readonly path?: string;
      /** What the program's `artifacts` function returned for the content. */
      readonly reference?: string;
    }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
    };

/** The result of a tool call. */
export interface ToolResult<Structured = JsonValue> {
  /** The result as text, for people and text models. Never contains base64. */
  readonly text: string;
  /** The result in parts, for models that accept images, audio or resources. */
  readonly parts: readonly ContentPart[];
  /** The tool's structured content, if it returned any. Omitted if it does not match the output schema. */
  readonly structured?: Structured;
  /** Whether the call failed. `AgentTool.execute` also sets it if the call could not be completed. */
  readonly isError: boolean;
  /** Where the result comes from. */
  readonly details: {
    /** The name of the server, as configured. */
    readonly serverName: string;
    /** The server's name for the tool. */
    readonly mcpToolName: string;
    /** The id of the provider whose config file defines the server, such as `cursor`. */
    readonly provider: string;
    /** Where the server is defined. */
    readonly source: Provenance;
    /** Where parts of the result were saved, such as media and long text: in the artifact folder, or by the program. */
    readonly artifacts?: readonly ArtifactReference[];
    /** What the server's sandbox refused during a call that failed, and what may be the reason. A host `*` is one without a name. */
    readonly denied?: readonly SandboxDenial[];
    /** How the result differs from the tool's output schema. If set, `structured` is omitted. */
    readonly outputProblem?: string;
  };
}

/** Part of a tool's result that was saved. */
export interface ArtifactReference {
  /** The path of the file, or what the program's `artifacts` function returned. */
  readonly reference: string;
  /** The absolute path of the file. Absent if the program saved the content itself. */
  readonly path?: string;
  /** The size of the content in bytes. */
  readonly bytes: number;
  /** The media type of the content. */
  readonly mimeType: string;
}

/** Content of a result that is saved, because a model cannot use it or it is too long. */
export interface ResultArtifact {
  /** The name of the server, as configured. */
  readonly server: string;
  /** The server's name for the tool, the URI of the resource, or the name of the prompt. */
  readonly tool: string;
  /** The media type of the content. */
  readonly mimeType: string;
  /** A text, or decoded binary data. */
  readonly content: string | Uint8Array;
  /** The person that the call was made for. Not set for the host's own user. */
  readonly principal?: string;
}

/** The progress of a call, as reported by the server. */
export interface ToolProgress {
  /** The amount of work done so far. */
  readonly progress: number;
  /** The total amount of work, if the server knows it. */
  readonly total?: number;
  /** The server's description of the current step. */
  readonly message?: string;
}

/** Options for one tool call. */
export interface CallOptions {
  /** The account to use, if there are several sign-ins for this server. */
  readonly account?: string | undefined;
  /** Cancels the call when aborted. The error keeps the reason; `AbortSignal.timeout()` becomes `CALL_TIMEOUT`. */
  readonly signal?: AbortSignal;
  /**
   * Time limit for the whole call in milliseconds, including the start of the server. Replaces the server's `timeout`, and progress
   * does not extend it. 0 means no limit.
   */
  readonly timeout?: number;
  /** Called for every progress notification of this call. */
  readonly onProgress?: (progress: ToolProgress) => void;
  /** Longer text is written to a file and replaced by a preview. In characters; the default comes from the settings. */
  readonly textLimit?: number;
  /** Skips the approval request, because the user has already approved this call. */
  readonly approved?: boolean;
  /** Sent as the request's `_meta`, for example a trace context (`traceparent`, `tracestate`, `baggage`). */
  readonly meta?: JsonObject;
}

/** A call that needs the user's approval. */
export interface CallRequest {
  /** The name of the server, as configured. */
  readonly server: string;
  /** The server's name for the tool. */
  readonly tool: string;
  /** The arguments of the call. */
  readonly args: JsonObject;
  /** The rule that requires approval, as readable text. */
  readonly rule: string;
  /** The person that the call is for. Absent for the host's own user. */
  readonly principal?: string;
  /** `true` if the server's entry has no rule for this tool, so that a default requires approval. */
  readonly isDefault: boolean;
  /** The hash of the tool's definition. Pass it to `approvals.allowCall` to allow the tool from now on. */
  readonly hash: string;
}

/** A tool in the form that an agent uses. */
export interface AgentTool {
  /** A unique name that every model provider accepts: `mcp_<server>_<tool>` by default. */
  readonly name: string;
  /** A title for people. Defaults to the server's name for the tool. */
  readonly title: string;
  /** A description for the model. */
  readonly description: string;
  /** The JSON schema of the arguments. */
  readonly inputSchema: JsonObject;
  /** The JSON schema of `ToolResult.structured`. */
  readonly outputSchema?: JsonObject;
  /** Hints from the server about the tool's behavior. */
  readonly annotations?: ToolAnnotations;
  /** The name of the server, as configured. */
  readonly server: string;
  /** The server's name for the tool. */
  readonly tool: string;
  /** Whether each call requires the user's approval (`ask`) or not (`allow`). */
  readonly approval: "allow" | "ask";
  /** Whether the definition is older than its time to live. It is refreshed at the next connection. */
  readonly stale: boolean;
  /** When the server listed the tool (ms since 1970). Set only if the list was cached by an earlier run. */
  readonly cachedAt?: number;
  /**
   * Calls the tool. Rejects only if the call is aborted (`ToolAbortError`). Other failures resolve with `isError:
   * true`.
   */
  execute(args: JsonObject, options?: CallOptions): Promise<ToolResult>;
}
