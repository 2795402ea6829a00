import type { FilePlace, JsonMap } from "./page.ts";

/** A row of `GET connections`: the person's account at one server. Never contains a token. */
export interface SignInRow {
  /** The name of the server, if one of the known servers uses it. */
  readonly server?: string;
  readonly url?: string;
  readonly account: string;
  readonly isDefault: boolean;
  readonly issuer: string;
  readonly scope?: string;
  readonly expiresAt?: string;
  readonly renewable: boolean;
  readonly state: "signed-in" | "expired" | "ended";
  readonly because?: string;
}

/** `GET connections`. */
export interface ConnectionsDocument {
  readonly revision: number;
  readonly signIns: readonly SignInRow[];
  /** Servers that need a sign-in before they can be used. */
  readonly needed: readonly { readonly server: string; readonly because: string }[];
  /** The names of the secrets in the vault. Their values are never sent. */
  readonly secrets: readonly string[];
  /** Sign-ins that were started from a page and have not ended more than ten minutes ago. */
  readonly running: readonly SignInProgress[];
}

/** `POST connections/sign-in`. */
export interface SignInRequest {
  readonly server: string;
  /** A name for the account, if the person has several. */
  readonly account?: string;
}

/** The response to `SignInRequest`, and `GET connections/sign-ins/<id>`. `POST connections/sign-ins/<id>/cancel` ends it. */
export interface SignInProgress {
  readonly id: string;
  readonly server: string;
  readonly state: "starting" | "waiting" | "done" | "failed";
  /** The page of the authorization server, which the person opens. Always `https:`, or `http:` on this machine. */
  readonly url?: string;
  /** The code to enter there, if it is needed. */
  readonly userCode?: string;
  readonly because?: string;
}

/** `POST connections/sign-out`. */
export interface SignOutRequest {
  readonly server: string;
  /** One account only. Default: all accounts at the server. */
  readonly account?: string;
}

/** A difference between two definitions. Absent sides did not exist. Secrets are masked. */
export interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** A server whose launch waits for approval. */
export interface LaunchRow {
  readonly server: string;
  readonly status: "new" | "changed";
  readonly place: FilePlace;
  readonly tool: string;
}

/** `GET approvals/launches/<server>`: exactly what would be approved. Nothing is run to find out. */
export interface LaunchDetails extends LaunchRow {
  /** All fields that the approval covers. */
  readonly launch: JsonMap;
  /** The entry as written in the file, secrets masked. */
  readonly entry: JsonMap;
  /** The changes since the last approval. */
  readonly changes: readonly FieldChange[];
  readonly inspection: {
    readonly program?: string;
    readonly starts?: string;
    readonly destination: string;
    readonly runs: readonly {
      readonly field: string;
      readonly command: string;
      readonly unpinned: readonly string[];
    }[];
    readonly reads: readonly { readonly variable: string; readonly field: string }[];
    readonly files: readonly { readonly file: string; readonly field: string; readonly leadsTo?: string }[];
    readonly secrets: readonly { readonly secret: string; readonly field: string }[];
    readonly envFile?: { readonly path: string; readonly found: boolean; readonly names: readonly string[] };
    readonly sandbox?: { readonly access: string; readonly source: string };
    /** Whether the entry turns off the sandbox that the settings have for all servers. */
    readonly turnsOffSandbox?: true;
    readonly installs?: { readonly packages: readonly string[] };
  };
  /** The ways to let it run. The first one is preselected. Pass the hash of one of them. */
  readonly choices: readonly {
    readonly access: string;
    readonly hash: string;
    readonly isSandboxed: boolean;
  }[];
}

/** A server whose tools changed since they were reviewed. */
export interface ChangedToolsRow {
  readonly server: string;
  /** The hash to accept. It covers all tools as listed now. */
  readonly hash: string;
  readonly isFirst: boolean;
  /** Whether calls of changed tools are denied until a person accepts them. Otherwise changes are only reported. */
  readonly isHeld: boolean;
  readonly reviewedAt?: string;
  readonly tools: readonly {
    readonly tool: string;
    readonly kind: "changed" | "new" | "gone";
    readonly changes: readonly FieldChange[];
  }[];
  /** Signs that a definition gives the model instructions. */
  readonly findings: readonly { readonly tool: string; readonly what: string }[];
  /** Why the reviewed definitions cannot be read, if so. */
  readonly unreadable?: string;
}

/** A call that waits for a person. Always empty in local mode, where calls that ask are refused instead. */
export interface WaitingCall {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonMap;
  readonly rule: string;
  readonly hash: string;
  readonly client?: string;
  readonly expiresAt: number;
}

/** `GET approvals`. */
export interface ApprovalsDocument {
  readonly revision: number;
  readonly launches: readonly LaunchRow[];
  readonly changedTools: readonly ChangedToolsRow[];
  readonly calls: readonly WaitingCall[];
  /** Approvals that were given. */
  readonly given: readonly {
    readonly server: string;
    readonly file: string;
    readonly approvedAt?: string;
    readonly status: "approved" | "changed" | "elsewhere";
  }[];
  /** Tools whose calls are always allowed. */
  readonly allowedCalls: readonly {
    readonly server: string;
    readonly tool: string;
    readonly allowedAt: string;
    readonly status: "active" | "changed" | "elsewhere";
  }[];
}

/**
 * `POST approvals/launches/<server>` and `POST approvals/tools/<server>`. 409 if it is no longer the current hash.
 * To revoke, without fields: `POST approvals/launches/<server>/revoke` and `POST approvals/calls/<server>/<tool>/revoke`.
 */
export interface ApproveRequest {
  readonly hash: string;
}
