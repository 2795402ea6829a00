/**
 * The page API: what the dashboard's pages and the gateway exchange as JSON. Imports nothing, so that the browser's code can import the types.
 *
 * All routes start with `api/v1/`, relative to the page. Text from servers, clients and files passes as JSON strings: secrets are masked,
 * lengths are bounded, and nothing else about them is safe.
 */

/** What a person may do. `auditor` reads everything and changes nothing. Local mode has one administrator. */
export type PageRole = "person" | "auditor" | "administrator";

/** The rights of a role. A page hides what the person may not do, and the gateway refuses it. */
export type PageRight =
  /** Reconnect, enable and disable servers. */
  | "servers.control"
  /** Call tools. */
  | "tools.call"
  /** Approve launches and changed tools, and revoke approvals. */
  | "approvals.decide"
  /** Sign in to servers and out of them. */
  | "connections.change"
  /** Disconnect clients. */
  | "clients.end";

/** `GET session`: who uses the page. `POST session` with a `TicketRequest` signs in, `POST session/end` signs out. */
export interface PageSession {
  readonly person: string;
  readonly role: PageRole;
  readonly rights: readonly PageRight[];
  /** Whether the gateway runs on the person's own machine, without accounts. */
  readonly isLocal: boolean;
  /** When the page session ends (ms since 1970). */
  readonly expiresAt: number;
  /** Plugboard's version. */
  readonly version: string;
  /** The folder whose servers are shown. */
  readonly folder: string;
  /** The person's home folder, which paths show as `~`. */
  readonly home?: string;
}

/** `POST session`: the one-time ticket from the fragment of the page's address (`#ticket=…`). */
export interface TicketRequest {
  readonly ticket: string;
}

/** The body of every response with a status of 400 or more. */
export interface PageError {
  readonly error: {
    /** An error code of Plugboard, or one of `PageErrorCode`. */
    readonly code: string;
    readonly message: string;
    /** How to resolve it. */
    readonly hint?: string;
  };
}

/** Errors of the page API itself. */
export type PageErrorCode =
  /** 401: the page session ended, or there was none. */
  | "PAGE_SIGNED_OUT"
  /** 401: the ticket is unknown, expired or already used. */
  | "PAGE_TICKET_INVALID"
  /** 403: the request does not come from the gateway's own page. */
  | "PAGE_FOREIGN"
  /** 403: the role does not have the right. */
  | "PAGE_NOT_ALLOWED"
  /** 404: there is no such route or item. */
  | "PAGE_UNKNOWN"
  /** 405, 413 or 415: the method, size or type of the request is wrong. */
  | "PAGE_REQUEST_INVALID"
  /** 409: what was shown has changed. Load it again. */
  | "PAGE_OUTDATED"
  /** 429: too many requests or streams at once. */
  | "PAGE_BUSY";

/** A part of the state that changes on its own. */
export type PageTopic =
  | "servers"
  | "tools"
  | "clients"
  | "connections"
  | "approvals"
  | "activity"
  | "metrics";

/**
 * `GET events`: an event stream. Each event is named `snapshot`, its id is `number`, and it is complete in itself: a page that lost
 * some needs only the last one. At most four per second. When a topic's revision changes, load its document again.
 */
export interface PageSnapshot {
  /** Increases with every snapshot of this gateway process. */
  readonly number: number;
  /** Identifies the gateway process. If it changes, all revisions start again. */
  readonly process: string;
  readonly at: number;
  readonly revisions: Readonly<Record<PageTopic, number>>;
  readonly overview: Overview;
}

/** `GET overview`. */
export interface Overview {
  readonly servers: {
    readonly total: number;
    readonly connected: number;
    readonly failed: number;
    readonly needsPerson: number;
    readonly disabled: number;
  };
  readonly clients: number;
  /** Requests that are being processed. */
  readonly running: number;
  /** Requests in the last full minute. */
  readonly callsPerMinute: number;
  /** Failed and refused requests in the last hour. */
  readonly errorsLastHour: number;
  /** What waits for a person, most urgent first. At most 50. */
  readonly attention: readonly Attention[];
  /** Problems with config files and tools. At most 200. */
  readonly problems: readonly PageProblem[];
  /** How many problems there are in all. */
  readonly problemCount: number;
}

/** Something that waits for a person. */
export interface Attention {
  readonly kind: "approval" | "changedTools" | "signIn" | "value" | "failed";
  readonly server: string;
  readonly text: string;
}

/** A problem with a file, an entry or a tool. */
export interface PageProblem {
  readonly severity: "error" | "warning" | "info";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly server?: string;
  readonly place?: FilePlace;
}

/** A place in a file. */
export interface FilePlace {
  /** The absolute path, or the name of a source that is not a file. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** The response to a write that has nothing else to report. */
export interface Done {
  readonly ok: true;
  /** What was changed besides, such as the file with the entry. */
  readonly text?: string;
}

/** A JSON object. */
export interface JsonMap {
  readonly [name: string]: unknown;
}
