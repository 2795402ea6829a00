/** All error codes, grouped by module. A test pins them; never rename one. */
export const ERROR_CODES = [
  "USAGE_INVALID",
  "CONFIG_INVALID",
  "CONFIG_UNWRITABLE",
  "CONFIG_EXISTS",
  "CONFIG_NOT_FOUND",
  "SERVER_UNKNOWN",
  "SERVER_INVALID",
  "SERVER_DISABLED",
  "INTERACTION_REQUIRED",
  "POLICY_HASH_MISMATCH",
  "POLICY_NOT_NEEDED",
  "BUNDLE_UNKNOWN",
  "VALUE_UNRESOLVED",
  "AUTH_REQUIRED",
  "AUTH_FAILED",
  "AUTH_TIMEOUT",
  "AUTH_CLIENT_REQUIRED",
  "AUTH_PROVIDER_UNKNOWN",
  "CONNECT_FAILED",
  "CONNECT_TIMEOUT",
  "CONNECT_COMMAND_NOT_FOUND",
  "CONNECT_EXITED",
  "CONNECT_UNREACHABLE",
  "INSTALL_FAILED",
  "INSTALL_TIMEOUT",
  "INSTALL_BROKEN",
  "PACKAGE_REFUSED",
  "CONNECTION_LOST",
  "REQUEST_TIMEOUT",
  "REQUEST_REFUSED",
  "TOOL_UNKNOWN",
  "TOOL_DENIED",
  "TOOL_ARGUMENTS_INVALID",
  "TOOL_CALL_FAILED",
  "CALL_TIMEOUT",
  "MIDDLEWARE_FAILED",
  "HANDLER_FAILED",
  "RESOURCE_UNKNOWN",
  "TASK_UNKNOWN",
  "PROMPT_UNKNOWN",
  "PROMPT_ARGUMENTS_INVALID",
  "MODEL_UNKNOWN",
  "MODEL_FAILED",
  "RECORDING_INVALID",
  "NOT_RECORDED",
  "DAEMON_REFUSED",
  "DAEMON_UNAVAILABLE",
  "LAUNCH_DIFFERS",
  "HOST_CLOSED",
  "CANCELLED",
  "STATE_LOCKED",
  "STATE_UNREADABLE",
  "STORE_UNAVAILABLE",
  "STORE_UNUSABLE",
  "INTERNAL_BUG",
] as const;

/** The code of a `HostError`. */
export type HostErrorCode = (typeof ERROR_CODES)[number];

/**
 * Why the user's input is needed: to approve a server (`trust`), to sign in, to provide a value, to approve a call, or
 * to review changed tools.
 */
export type InteractionReason = "trust" | "signIn" | "value" | "call" | "review";

/** Optional details of a `HostError`. */
export interface HostErrorFacts {
  /** The name of the server that the error concerns. */
  readonly server?: string | undefined;
  /** What the user can do about the error. Surfaces add the command to type. */
  readonly hint?: string | undefined;
  /** Why the user's input is needed. */
  readonly reason?: InteractionReason | undefined;
  /** The account that must sign in, if it is not the default account. */
  readonly account?: string | undefined;
  /** The JSON-RPC error code that the server returned. */
  readonly rpcCode?: number | undefined;
  /** The error that caused this one. */
  readonly cause?: unknown;
}

const BRAND = Symbol.for("plugboard.HostError");

/** The error that Plugboard's operations throw. Check `code`, not `message`: messages can change. */
export class HostError extends Error {
  /** What failed. Codes are stable. */
  readonly code: HostErrorCode;
  /** The name of the server that the error concerns. */
  readonly server: string | undefined;
  /** What the user can do about the error. */
  readonly hint: string | undefined;
  /** Why the user's input is needed, if `code` is `INTERACTION_REQUIRED`. */
  readonly reason: InteractionReason | undefined;
  /** The account that must sign in, if it is not the default account. */
  readonly account: string | undefined;
  /** The JSON-RPC error code that the server returned. */
  readonly rpcCode: number | undefined;

  constructor(code: HostErrorCode, message: string, facts: HostErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "HostError";
    this.code = code;
    this.server = facts.server;
    this.hint = facts.hint;
    this.reason = facts.reason;
    this.account = facts.account;
    this.rpcCode = facts.rpcCode;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/**
 * Returns whether a value is a `HostError`, optionally with this code. Unlike `instanceof`, it also recognizes errors
 * from another copy of the package.
 */
export function isHostError(value: unknown): value is HostError;
/** Returns whether a value is a `HostError` with this code. */
export function isHostError<Code extends HostErrorCode>(
  value: unknown,
  code: Code,
): value is HostError & { readonly code: Code };
export function isHostError(value: unknown, code?: HostErrorCode): boolean {
  if (typeof value !== "object" || value === null || !(BRAND in value)) return false;
  return code === undefined || ("code" in value && value.code === code);
}

/** Thrown if the caller aborts an operation. `cause` is the reason of the caller's signal. */
export class ToolAbortError extends Error {
  constructor(message = "The tool call was aborted.", options?: ErrorOptions) {
    super(message, options);
    this.name = "ToolAbortError";
  }
}

/** Returns the message of an error, or the text of any other thrown value. */
export function messageOf(error: unknown): string {
  if (isStackOverflow(error)) return "the data is nested too deeply";
  return error instanceof Error ? error.message : String(error);
}

/** Recursive code, such as `JSON.stringify`, overflows the stack if data from outside is nested too deeply. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}

/** Returns the `code` of an error, such as `ENOENT` for a system error, or `undefined`. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
