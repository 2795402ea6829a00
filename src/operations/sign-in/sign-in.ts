import type { AuthSubject, ShowSignIn, SignInOptions, SignInView } from "../../auth/index.ts";
import {
  type EventHub,
  HostError,
  type Launch,
  type Problem,
  type Server,
  shellWord,
  singleFlight,
  ToolAbortError,
  toAbortError,
} from "../../model/index.ts";
import { type ResolvedServer, resolveServer } from "../../values/index.ts";
import { hideValues } from "../describe/hide-values.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { plainServer } from "../lifecycle/plain-server.ts";
import { useServer } from "../lifecycle/use-server.ts";
import { mayHaveSecrets, valueContext, withUnresolvedValues } from "../lifecycle/value-context.ts";
import { entryOwner } from "../native-files/entry-owner.ts";
import { decide, type Workspace } from "../workspace.ts";
import { authSubject, findProvider, providerOf } from "./auth-subject-of.ts";
import { showSignIn } from "./list-sign-ins.ts";

/** Options for `host.signIns.login`. */
export interface LoginOptions {
  /** A name for this account, if you have several at this server. */
  readonly account?: string;
  /** `false` does not open a browser. Default: `true`. */
  readonly browser?: boolean;
  /** `true` shows a code to enter on another device, if the authorization server supports that. Default: `false`. */
  readonly device?: boolean;
  /** Shows where to sign in. Default: the host's `onSignIn`. */
  readonly onSignIn?: ShowSignIn;
  /** Cancels the sign-in. */
  readonly signal?: AbortSignal;
}

/** Signs in to a server. The next connection uses the new sign-in. */
export async function signInServer(
  workspace: Workspace,
  name: string,
  options: LoginOptions & Pick<SignInOptions, "redirectUri"> = {},
): Promise<SignInView> {
  if (options.signal?.aborted) throw toAbortError(options.signal, name);
  return signIn(workspace, await useServer(workspace, name), options);
}

async function signIn(
  workspace: Workspace,
  server: Server,
  options: LoginOptions & Pick<SignInOptions, "redirectUri">,
  opened?: ResolvedServer,
): Promise<SignInView> {
  const { subject, problems } = await subjectOf(workspace, server, opened);
  const { closeSignal } = workspace;
  const { account, browser = true, device, onSignIn, redirectUri } = options;
  const signal = options.signal === undefined ? closeSignal : AbortSignal.any([options.signal, closeSignal]);
  const show = onSignIn ?? workspace.people.onSignIn;
  const wanted = { account, browser, device, show, redirectUri, signal };
  const auth = await workspace.auth();
  const provider = providerOf(workspace, server);
  if (provider !== undefined && !mayHaveSecrets(workspace, server)) throw approvalNeeded(server);
  const signedIn = await (provider
    ? auth.signInWith(provider, subject, wanted)
    : auth.signIn(subject, wanted)
  ).catch((error: unknown) => {
    if (closeSignal.aborted) throw new HostError("HOST_CLOSED", "This host is closed.");
    if (error instanceof ToolAbortError && options.signal?.aborted) {
      const reason = toAbortError(options.signal, server.name);
      throw reason instanceof ToolAbortError
        ? new ToolAbortError(error.message, { cause: reason.cause })
        : reason;
    }
    throw withUnresolvedValues(error, problems);
  });
  await endConnections(workspace, server.name);
  return showSignIn(workspace, signedIn);
}

/**
 * Signs out of a server, or of one account there, and returns the accounts. The server does not have to be approved. If it is no
 * longer in any config file, `name` is the URL or id of the sign-in.
 */
export async function signOutServer(
  workspace: Workspace,
  name: string,
  account: string | undefined,
): Promise<string[]> {
  const auth = await workspace.auth();
  const left = workspace.inventory().servers.has(name) ? [] : await auth.signOutOf(name, account);
  if (left.length > 0) return left;
  const server = findServer(workspace, name);
  if (mayHaveSecrets(workspace, server))
    await findProvider(workspace, server)?.invalidateCredentials?.("tokens");
  const { subject } = await subjectOf(workspace, server);
  const accounts = await auth.signOut(subject, account);
  await endConnections(workspace, name);
  return accounts;
}

function approvalNeeded({ name, declaration }: Server): HostError {
  const id = String(declaration.fields["authProviderId"]);
  return new HostError(
    "INTERACTION_REQUIRED",
    `Server "${name}" needs your approval before it gets the program's sign-in "${id}".`,
    { server: name, reason: "trust", hint: `Approve it: plugboard trust ${shellWord(name)}` },
  );
}

/** Makes another account the one that is used. */
export async function switchAccount(workspace: Workspace, name: string, account: string): Promise<void> {
  const { subject } = await subjectOf(workspace, findServer(workspace, name));
  await (await workspace.auth()).use(subject, account);
  await endConnections(workspace, name);
}

/** Closes a server's connections, so that the next ones use the current sign-in. */
async function endConnections({ supervisor, accounts }: Workspace, name: string): Promise<void> {
  await Promise.all([supervisor.close(name), accounts.close(name)]);
}

/** Returns how a person signs in to the server, and which values are missing for that. Resolves the values if none are given. */
async function subjectOf(
  workspace: Workspace,
  server: Server,
  opened?: ResolvedServer,
): Promise<{ readonly subject: AuthSubject; readonly problems: readonly Problem[] }> {
  const { launch } = server;
  const resolved = opened ?? (launch && (await resolveAllowed(workspace, server, launch)));
  const subject = resolved && authSubject(server, resolved, entryOwner(workspace, server));
  if (subject !== undefined) return { subject, problems: resolved?.problems ?? [] };
  const { name } = server;
  throw new HostError("AUTH_FAILED", `Server "${name}" does not sign in with OAuth.`, {
    server: name,
    hint: 'You can sign in to remote servers whose entry has neither "oauth": false nor an Authorization header.',
  });
}

/** Resolves the values of a server that may run. For other servers, returns the entry as written. */
async function resolveAllowed(workspace: Workspace, server: Server, launch: Launch): Promise<ResolvedServer> {
  if (decide(workspace, server).allowed) {
    const resolved = await resolveServer(server, launch, valueContext(workspace, server));
    hideValues(workspace, resolved);
    return resolved;
  }
  return plainServer(server, launch);
}

/** Reports an authorization server on this machine or in a private network before anything is sent to it. */
export function reportPrivateAddress(events: EventHub): (server: string, origin: string) => void {
  return (server, origin) => {
    const message = `"${server}" signs in at ${origin}, another address on this machine or in your network`;
    events.publish({
      type: "problem",
      problem: { code: "sign-in-address", severity: "warning", message, server },
    });
  };
}

/** Signs in for a waiting operation. Operations that wait for the same server and account share one sign-in. */
export function signInOnce(
  workspace: Workspace,
  name: string,
  account: string | undefined,
): Promise<unknown> {
  const { people, values } = workspace;
  return singleFlight(people.signIns, `${name}\0${account ?? ""}`, async () => {
    const server = await useServer(workspace, name);
    return signIn(workspace, server, account === undefined ? {} : { account }, values.resolved.get(server));
  });
}
