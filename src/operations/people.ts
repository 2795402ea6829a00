import type { ShowSignIn } from "../auth/index.ts";
import type { ServerRelay } from "../connection/index.ts";
import {
  type CallRequest,
  HostError,
  type InputRequest,
  isHostError,
  messageOf,
  type Provenance,
  type QuestionHandlers,
  ToolAbortError,
} from "../model/index.ts";
import type { ApprovalRequest, EnvFileNames } from "../policy/index.ts";
import type { SandboxRequest } from "./sandbox/sandbox-api.ts";

/** Values that a server's entry asks for: `${input:id}`. */
export interface InputsRequest {
  /** The server's name. */
  readonly server: string;
  /** Where the server is defined. */
  readonly source: Provenance;
  /** The inputs without a stored value. Their texts come from the file. */
  readonly inputs: readonly InputRequest[];
  /** The principal, if the server runs for one. */
  readonly principal?: string;
}

/** Handlers that ask a person, and whether they may. A handler is used if it is given, unless `interaction` is `"forbid"`. */
export interface InteractionOptions extends QuestionHandlers {
  /**
   * `"forbid"` ignores every handler that asks a person: operations that would need one fail immediately with `INTERACTION_REQUIRED`,
   * and servers' questions are refused. Default: `"ask"`, which uses the handlers that are given.
   */
  readonly interaction?: "ask" | "forbid";
  /**
   * Asks a person to approve a project's server. Returns `true` for the launch as declared, or one of the hashes that
   * `approvals.inspect` returns, which decides about the sandbox. Without it, servers that are not approved do not run.
   */
  readonly onApproval?: (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>;
  /**
   * Asks a person for the values of `${input:id}` in a server's entry, by id, before the server starts. They are stored as secrets and
   * not asked for again. `undefined` cancels. Without it, such servers start without these values.
   */
  readonly onInput?: (
    request: InputsRequest,
  ) => Readonly<Record<string, string>> | undefined | Promise<Readonly<Record<string, string>> | undefined>;
  /** Asks a person to approve one call, if a rule requires approval. Without it, such calls are refused. */
  readonly onCall?: (
    request: CallRequest,
    /** The signal is aborted when the call is cancelled or the host is closed. */
    context: { readonly signal: AbortSignal | undefined },
  ) => boolean | Promise<boolean>;
  /**
   * Asks a person about something that a server's sandbox refused: once, after the start or the call that failed. `true` adds it to the
   * server's sandbox, and the server restarts at its next use. Without it, only the event `sandbox.denied` is published.
   */
  readonly onSandboxDenied?: (request: SandboxRequest) => boolean | Promise<boolean>;
  /**
   * Shows a person where to sign in, and makes operations that need a sign-in wait for it. May return the URL that the browser was
   * redirected to, or the code in it. Without it, such operations fail.
   */
  readonly onSignIn?: ShowSignIn;
}

/** Whether a person approves a launch, or the hash of the launch that the person chose. */
export type ApprovalAnswer = boolean | { readonly hash: string };

/** The people whom a host can ask, and what they are being asked. */
export interface People
  extends Pick<InteractionOptions, "onApproval" | "onInput" | "onCall" | "onSandboxDenied" | "onSignIn"> {
  /** The handlers for questions from servers. */
  readonly handlers: QuestionHandlers;
  /** Passes questions from servers on to a gateway's client, instead of the handlers. */
  readonly relay?: ServerRelay;
  /** Pending approval questions, by server. */
  readonly approvals: Map<string, Promise<void>>;
  /** Pending questions for inputs, by server. */
  readonly inputs: Map<string, Promise<void>>;
  /** Pending questions about denials, by server, kind and target. */
  readonly denials: Map<string, Promise<boolean>>;
  /** The denials that a person was asked about. */
  readonly answeredDenials: Set<string>;
  /** Sign-ins in progress, by server and account. */
  readonly signIns: Map<string, Promise<unknown>>;
  /** The `envFile` variables that a person was shown but has not approved yet. */
  readonly shownEnvFiles: Map<string, EnvFileNames>;
}

/** Selects the handlers that may be used. `roots` is not a question, so it always counts. */
export function createPeople({ interaction, roots, ...given }: InteractionOptions): People {
  const allowed: Omit<InteractionOptions, "interaction" | "roots"> = interaction === "forbid" ? {} : given;
  const { onApproval, onInput, onCall, onSandboxDenied, onSignIn, onElicitation, onSampling } = allowed;
  return {
    ...(onApproval && { onApproval: withCode("onApproval", onApproval) }),
    ...(onInput && { onInput: withCode("onInput", onInput) }),
    ...(onCall && { onCall: withCode("onCall", onCall) }),
    ...(onSandboxDenied && { onSandboxDenied }),
    ...(onSignIn && { onSignIn }),
    handlers: { onElicitation, onSampling, roots },
    approvals: new Map(),
    inputs: new Map(),
    denials: new Map(),
    answeredDenials: new Set(),
    signIns: new Map(),
    shownEnvFiles: new Map(),
  };
}

/** Returns a handler whose errors are a `HostError`: callers decide by its code. */
function withCode<Args extends readonly unknown[], Answer>(
  name: string,
  handler: (...args: Args) => Answer | Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  return async (...args) => {
    try {
      return await handler(...args);
    } catch (error) {
      if (isHostError(error) || error instanceof ToolAbortError) throw error;
      throw new HostError("HANDLER_FAILED", `The program's ${name} failed: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };
}
