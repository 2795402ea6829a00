import type { Connection } from "../../connection/index.ts";
import { HostError, type HostErrorCode, isHostError, type Server, toAbortError } from "../../model/index.ts";
import { unlessAborted } from "../../platform/index.ts";
import { askAboutDenials } from "../sandbox/ask-denials.ts";
import { signInOnce } from "../sign-in/sign-in.ts";
import type { Workspace } from "../workspace.ts";
import { useServer } from "./use-server.ts";

const MAX_SIGN_INS = 3;
/** Starts that fail because of a sandbox, which a person then extends. */
const MAX_DENIALS = 5;
/** Errors that result from a decision about the server or tool. */
const REFUSED: ReadonlySet<HostErrorCode> = new Set([
  "INTERACTION_REQUIRED",
  "SERVER_DISABLED",
  "SERVER_INVALID",
  "TOOL_DENIED",
]);

/** The server that an operation uses. */
export interface ServerRequest {
  readonly server: string;
  /** Connect as this account instead of the current one. */
  readonly account?: string | undefined;
  /** Cancels waiting for a sign-in. */
  readonly signal?: AbortSignal | undefined;
  /** `false` rejects instead of asking a person to sign in. Default: `true`. */
  readonly maySignIn?: boolean;
}

/** How an operation reaches its server. */
export interface ServerAccess {
  /** Returns the server if it may run. If it needs approval and a person can be asked, asks first. */
  use(): Promise<Server>;
  /** Returns the running connection for the requested account, or starts one. */
  connect(): Promise<Connection>;
}

/**
 * Runs an operation on one server. If the server needs a sign-in and a person can be asked, waits for the sign-in and then runs the
 * whole operation again: the policy may have changed in the meantime, and no time limit counts the wait. No other code asks for a sign-in
 * on behalf of an operation. Operations on many servers and in the background do not use this function, so they never ask.
 */
export async function onServer<T>(
  workspace: Workspace,
  { server: name, account, signal, maySignIn = true }: ServerRequest,
  run: (access: ServerAccess) => Promise<T>,
): Promise<T> {
  const { supervisor, accounts, events, ports } = workspace;
  const access: ServerAccess = {
    use: () => unlessClosed(workspace, () => useServer(workspace, name)),
    connect: () => (account === undefined ? supervisor.connect(name) : accounts.connect(name, account)),
  };
  let denials = 0;
  for (let signIns = 0; ; ) {
    try {
      return await run(access);
    } catch (error) {
      if (isHostError(error) && REFUSED.has(error.code))
        ports.log.log("info", "decision.refused", { server: name, code: error.code, error: error.message });
      if (isHostError(error) && /^CONNECT_(?:FAILED|EXITED)$/.test(error.code) && denials < MAX_DENIALS) {
        denials += 1;
        const refused = workspace.values.denials.get(name)?.values() ?? [];
        if (await unlessCancelled(signal, () => askAboutDenials(workspace, name, refused), name)) continue;
      }
      if (!isHostError(error, "INTERACTION_REQUIRED") || error.reason !== "signIn") throw error;
      events.publish({ type: "input.needed", server: name, reason: "signIn" });
      const { onSignIn } = workspace.people;
      if (!maySignIn || onSignIn === undefined || signIns >= MAX_SIGN_INS) throw error;
      await unlessCancelled(signal, () => signInOnce(workspace, name, account), name);
      signIns += 1;
    }
  }
}

/** Runs work, and rejects when the caller's signal fires. The work continues, because others may be waiting for it. */
export function unlessCancelled<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  server?: string,
): Promise<T> {
  return signal === undefined ? work() : unlessAborted(signal, work, () => toAbortError(signal, server));
}

/** Runs work that may wait for the program or a person, and rejects when the host is closed. */
export function unlessClosed<T>({ closeSignal }: Workspace, work: () => Promise<T>): Promise<T> {
  return unlessAborted(closeSignal, work, () => new HostError("HOST_CLOSED", "This host is closed."));
}
