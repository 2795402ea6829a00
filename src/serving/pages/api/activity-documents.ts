import type { PageServerState } from "./server-documents.ts";

/** A row of `GET clients`. */
export interface ClientRow {
  /** Identifies the conversation, also in the activity (`session`). */
  readonly id: string;
  readonly name?: string;
  readonly version?: string;
  readonly transport: "stdio" | "http";
  readonly era: "legacy" | "modern";
  readonly endpoint: string;
  /** When its first request arrived. */
  readonly since: number;
  /** When its last request arrived. */
  readonly lastAt: number;
  readonly requests: number;
  readonly running: number;
  /** Whether `POST clients/<id>/end` can disconnect it. Modern HTTP clients have no connection to end. */
  readonly canEnd: boolean;
}

/** `GET clients`, the most recent first. At most 500. */
export interface ClientsDocument {
  readonly revision: number;
  readonly clients: readonly ClientRow[];
}

/** How a request ended. */
export type ActivityOutcome = "ok" | "tool_error" | "refused" | "failed" | "cancelled" | "timed_out";

/** A row of `GET activity`. Contains neither arguments nor results. */
export interface ActivityRow {
  /** Sorts by time. */
  readonly id: string;
  readonly at: number;
  readonly client: { readonly name?: string; readonly version?: string };
  readonly session: string;
  readonly endpoint: string;
  readonly method: string;
  readonly server?: string;
  readonly item?: string;
  readonly clientEra: "legacy" | "modern";
  readonly serverEra?: "legacy" | "modern";
  readonly outcome: ActivityOutcome;
  readonly code?: number;
  readonly durationMs: number;
  readonly bytesOut: number;
  readonly argumentsHash?: string;
}

/**
 * `GET activity?since=&until=&server=&item=&outcome=&method=&session=&before=<id>&after=<id>&limit=200`, the newest first. Times are ms since
 * 1970. `limit` is at most 1,000. Use `before` for older rows, and `after` for rows that are new.
 */
export interface ActivityDocument {
  readonly revision: number;
  readonly rows: readonly ActivityRow[];
  /** Pass it as `before` to get older rows. Absent if there are none. */
  readonly next?: string;
}

/** `GET metrics?window=hour|day`: an hour in steps of a minute (60 points), or a day in steps of 15 minutes (96 points). */
export interface MetricsDocument {
  readonly revision: number;
  /** The start of the first step (ms since 1970). */
  readonly from: number;
  readonly stepMs: number;
  /** The number of steps. All series have this length; the last step is not over yet. */
  readonly steps: number;
  /** When this process started. Earlier steps come from the audit files. */
  readonly processStartedAt: number;
  /** Set if steps before this time are incomplete, because there were too many requests to read them again. */
  readonly incompleteBefore?: number;
  readonly calls: readonly number[];
  readonly errors: readonly number[];
  readonly servers: readonly ServerMetrics[];
  readonly tokens: TokenMetrics;
}

/** The series of one server. `null` where nothing was called. */
export interface ServerMetrics {
  readonly server: string;
  readonly calls: readonly number[];
  readonly errors: readonly number[];
  readonly p50: readonly (number | null)[];
  readonly p95: readonly (number | null)[];
  readonly p99: readonly (number | null)[];
  /** Of the whole window. `null` without calls. */
  readonly total: {
    readonly calls: number;
    readonly errors: number;
    readonly p50: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
  };
  /** Its states since this process started, oldest first, each from `at` until the next one. At most 500. */
  readonly states: readonly { readonly at: number; readonly state: PageServerState }[];
}

/** Estimates of what tool definitions cost a model, in tokens. */
export interface TokenMetrics {
  /** The cost of passing all definitions once. */
  readonly direct: number;
  /** The cost of passing only the tools that find and call others. */
  readonly meta: number;
  /** Per server. */
  readonly servers: readonly { readonly server: string; readonly tools: number; readonly tokens: number }[];
  /** What the lists sent to clients cost, per step. Counted since this process started. */
  readonly spent: readonly number[];
  /** What meta mode saved in these lists, per step. */
  readonly saved: readonly number[];
}

/** A tool that can use the gateway. */
export interface SetupRow {
  /** The id of the tool, such as `cursor`. */
  readonly tool: string;
  readonly label: string;
  /** The file to change. */
  readonly file: string;
  readonly format: "json" | "toml";
  /** What to add to the file. */
  readonly snippet: string;
  /** The command that changes the file itself. */
  readonly command: string;
  /** Whether the file already contains it. */
  readonly isSetUp: boolean;
}

/** `GET setup`. */
export interface SetupDocument {
  readonly clients: readonly SetupRow[];
  /** Tools that cannot use the gateway, and why. */
  readonly skipped: readonly { readonly label: string; readonly reason: string }[];
  /** How clients reach the gateway over HTTP, if it listens. */
  readonly http?: { readonly url: string; readonly tokenFile: string };
}
