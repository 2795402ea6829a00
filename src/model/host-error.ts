/** Every way an operation can fail, grouped by room. Pinned by a test; never renamed. */
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
  "CONNECTION_LOST",
  "REQUEST_TIMEOUT",
  "REQUEST_REFUSED",
  "TOOL_UNKNOWN",
  "TOOL_DENIED",
  "TOOL_ARGUMENTS_INVALID",
  "TOOL_CALL_FAILED",
  "RESOURCE_UNKNOWN",
  "PROMPT_UNKNOWN",
  "PROMPT_ARGUMENTS_INVALID",
  "MODEL_UNKNOWN",
  "MODEL_FAILED",
  "HOST_CLOSED",
  "CANCELLED",
  "STATE_LOCKED",
  "STATE_UNREADABLE",
  "INTERNAL_BUG",
] as const;

export type HostErrorCode = (typeof ERROR_CODES)[number];

/** Why a person is needed. */
export type InteractionReason = "trust" | "signIn" | "value" | "call" | "review";

export interface HostErrorFacts {
  readonly server?: string | undefined;
  /** One sentence that tells the person what to do. Surfaces add the command to type. */
  readonly hint?: string | undefined;
  readonly reason?: InteractionReason | undefined;
  /** Whose sign-in is needed, where it is not the usual one's. */
  readonly account?: string | undefined;
  /** The JSON-RPC code a server refused with. */
  readonly rpcCode?: number | undefined;
  readonly cause?: unknown;
}

const BRAND = Symbol.for("plugboard.HostError");

/** The one error class of Plugboard. Decide on `code`, never on `message`. */
export class HostError extends Error {
  readonly code: HostErrorCode;
  readonly server: string | undefined;
  readonly hint: string | undefined;
  readonly reason: InteractionReason | undefined;
  readonly account: string | undefined;
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

/** Works across two copies of the package, unlike `instanceof`. */
export function isHostError(value: unknown, code?: HostErrorCode): value is HostError {
  if (typeof value !== "object" || value === null || !(BRAND in value)) return false;
  return code === undefined || ("code" in value && value.code === code);
}

/** The call was aborted by whoever made it. */
export class ToolAbortError extends Error {
  constructor(message = "The tool call was aborted.", options?: ErrorOptions) {
    super(message, options);
    this.name = "ToolAbortError";
  }
}

/** What went wrong, as text, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code a system call or library gave its error, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
