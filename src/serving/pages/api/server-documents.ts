import type { FilePlace, JsonMap, PageProblem } from "./page.ts";

/** The state of a server. */
export type PageServerState =
  | "idle"
  | "installing"
  | "connecting"
  | "connected"
  | "reconnecting"
  | "needs_auth"
  | "needs_client_registration"
  | "untrusted"
  | "failed"
  | "disabled"
  | "invalid";

/** A row of `GET servers`. */
export interface ServerRow {
  readonly name: string;
  readonly state: PageServerState;
  /** Why it is in this state. */
  readonly because?: string;
  readonly hint?: string;
  readonly errorCode?: string;
  readonly enabled: boolean;
  readonly transport?: "stdio" | "http" | "sse" | "in-process";
  readonly tier: "managed" | "user" | "project";
  /** The tool whose file defines it, such as `cursor`. */
  readonly tool: string;
  readonly place: FilePlace;
  /** The program with its arguments, or the URL. Secrets are masked. */
  readonly launch: string;
  /** The number of tools in its cached list. Absent if it was never listed. */
  readonly tools?: number;
  readonly problems: number;
  /** What the page may do with it now. */
  readonly actions: readonly ("reconnect" | "enable" | "disable")[];
}

/** `GET servers`. */
export interface ServersDocument {
  readonly revision: number;
  readonly servers: readonly ServerRow[];
}

/** `GET servers/<name>`. */
export interface ServerDetails extends ServerRow {
  /** The names of the variables that its entry sets. */
  readonly env: readonly string[];
  /** The names of the headers that its entry sets. */
  readonly headers: readonly string[];
  readonly cwd?: string;
  /** What the server reported about itself. */
  readonly facts?: {
    readonly name?: string;
    readonly version?: string;
    readonly protocolVersion: string;
    readonly era: "legacy" | "modern";
    readonly capabilities: readonly string[];
    readonly instructions?: string;
  };
  readonly shadows: readonly FilePlace[];
  readonly problemList: readonly PageProblem[];
}

/** `GET servers/<name>/logs?lines=200`: what a local server printed, oldest run first. At most 2,000 lines. */
export interface LogsDocument {
  readonly server: string;
  readonly runs: readonly {
    readonly id: string;
    readonly startedAt: number;
    readonly lines: readonly { readonly at: number; readonly stream: string; readonly text: string }[];
    readonly end?: { readonly code?: number; readonly signal?: string; readonly at: number };
  }[];
}

/** Whether a call is allowed, requires a person's approval, or is denied. */
export type PageDecision = "allow" | "ask" | "deny";

/** A row of `GET tools`. */
export interface ToolRow {
  readonly server: string;
  readonly tool: string;
  readonly title: string;
  readonly description: string;
  readonly decision: PageDecision;
  readonly annotations: ToolHints;
}

/** Hints of a server about a tool. They are not verified. */
export interface ToolHints {
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}

/** `GET tools?query=&server=&offset=0&limit=100`: with a query, best match first. Starts no server. */
export interface ToolsDocument {
  readonly revision: number;
  readonly tools: readonly ToolRow[];
  /** How many tools match. */
  readonly total: number;
  /** The offset of the next part, if there is one. */
  readonly next?: number;
  /** Servers whose tools are not known, because they never connected. */
  readonly unknown: readonly string[];
}

/** `GET tools/<server>/<tool>`. */
export interface ToolDetails extends ToolRow {
  /** The JSON schema of the arguments. */
  readonly inputSchema: JsonMap;
  readonly outputSchema?: JsonMap;
  /** The rule that decides about calls. */
  readonly rule: string;
  /** An estimate of what the definition costs a model. */
  readonly tokens: number;
  /** Signs that the definition gives the model instructions. */
  readonly findings: readonly string[];
}

/** `POST tools/<server>/<tool>/preview`: what a call would do. The call is not made. */
export interface PreviewRequest {
  readonly arguments: JsonMap;
}

/** The response to `PreviewRequest`. */
export interface PreviewDocument {
  readonly decision: PageDecision;
  /** The rule that decided. */
  readonly rule: string;
  /** What is wrong with the arguments. */
  readonly complaints: readonly string[];
  /** Covers the server, the tool's definition and the arguments. To make a call that asks, pass it as `approval`. */
  readonly hash: string;
}

/** `POST tools/<server>/<tool>/call`. Aborted when the request is. */
export interface CallRequestBody {
  readonly arguments: JsonMap;
  /** The hash of the preview that the person approved. Required if the decision is `ask`. */
  readonly approval?: string;
}

/** The response to `CallRequestBody`. */
export interface CallDocument {
  readonly isError: boolean;
  /** At most 100,000 characters. */
  readonly text: string;
  readonly isTruncated: boolean;
  readonly structured?: unknown;
  /** Images, at most 2 MB of base64 together. Only types that cannot contain a program. */
  readonly images: readonly {
    readonly mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
    readonly data: string;
  }[];
  readonly durationMs: number;
}
