import { singleFlight } from "../model/index.ts";
import { signInRequired, toAuthError } from "./auth-error.lazy.ts";
import type { AuthDeps, AuthSubject } from "./auth-subject.ts";
import { serverKey } from "./auth-subject.ts";
import { type Credential, DEFAULT_ACCOUNT } from "./credentials/credential.ts";
import { createDpopKey, dpopHandle } from "./credentials/dpop.lazy.ts";
import { findCredential, findSignIn } from "./credentials/find-credential.ts";
import { renewCredential } from "./credentials/renew-credential.lazy.ts";
import { saveSignIn } from "./credentials/save-sign-in.ts";
import { unusedReason } from "./credentials/sign-in-owner.ts";
import type { Challenge } from "./discovery/challenge.ts";
import { discoverResource } from "./discovery/discover-resource.ts";
import { requirePkce } from "./discovery/discover-server.ts";
import { planSignIn } from "./discovery/plan-sign-in.ts";
import { clientRequired, configuredClient } from "./discovery/register-client.ts";
import { requestMachineTokens } from "./flows/machine-grant.ts";
import { guardFor } from "./guard/guard-for.ts";
import type { Guard } from "./guard/guarded-fetch.ts";
import { isScopeCovered, scopeUnion } from "./scopes.ts";

export interface RefusedResponse {
  readonly status: number;
  readonly challenge: Challenge | undefined;
  /** The sign-in that was refused. */
  readonly used: Credential | undefined;
}

/**
 * Returns the credential to retry a refused request with, or `undefined` if a retry cannot help. Throws if the user
 * has to sign in. Never opens a browser or registers a client.
 */
export async function resolveChallenge(
  deps: AuthDeps,
  subject: AuthSubject,
  refused: RefusedResponse,
): Promise<Credential | undefined> {
  const { status, challenge, used } = refused;
  const { name, url } = subject;
  if (url === undefined || (status === 403 && challenge?.error !== "insufficient_scope")) return undefined;
  const { credentials } = deps;
  const remote = { ...subject, url };
  const guard = guardFor(deps, subject, { server: url, reach: used?.reach });
  try {
    // Another process may have renewed the sign-in or replaced it, possibly with another client.
    const kept = used && (await credentials.byId(used.id));
    const isStillUsable =
      kept !== undefined && (await unusedReason(credentials, kept, subject)) === undefined;
    const latest = isStillUsable ? kept : await findCredential(deps, subject);
    if (latest !== undefined && (latest.id !== used?.id || latest.generation > used.generation))
      return latest;
    if (status === 403) return await requestMoreScopes(deps, remote, refused, guard);
    if (subject.settings.grant !== "authorization_code")
      return await byMachine(deps, subject, refused, guard);
    if (used !== undefined && latest !== undefined) return await renew(deps, remote, used, challenge, guard);
    throw await describeNeed(subject, challenge, guard);
  } catch (error) {
    if (error === UNDISCOVERED) return undefined;
    throw toAuthError(name, error);
  }
}

/** Marks a server whose sign-in endpoints could not be found. */
const UNDISCOVERED = new Error("the sign-in endpoints could not be discovered");

/** A server with a URL. */
type RemoteSubject = AuthSubject & { readonly url: URL };

/** Renews a sign-in if the server still accepts its issuer. */
async function renew(
  deps: AuthDeps,
  subject: RemoteSubject,
  credential: Credential,
  challenge: Challenge | undefined,
  guard: Guard,
): Promise<Credential> {
  const { name, url, settings } = subject;
  const isManual = settings.tokenUrl !== undefined || settings.authServerMetadataUrl !== undefined;
  const found = isManual ? undefined : await discoverResource(guard, url, challenge?.resourceMetadata);
  const { issuer } = credential.server;
  if (found !== undefined && found.issuers.length > 0 && !found.issuers.includes(issuer))
    throw signInRequired(name, `the server no longer accepts tokens from ${new URL(issuer).host}`);
  return renewOnce(deps, subject, credential);
}

export function renewOnce(deps: AuthDeps, subject: AuthSubject, seen: Credential): Promise<Credential> {
  return singleFlight(deps.renewing, seen.id, () => renewCredential(deps, subject, seen));
}

/** Requests the additional scopes that the server asks for. If they were already granted, a new sign-in cannot help. */
async function requestMoreScopes(
  deps: AuthDeps,
  subject: RemoteSubject,
  refused: RefusedResponse,
  guard: Guard,
): Promise<Credential | undefined> {
  const { challenge, used } = refused;
  const { name, settings } = subject;
  if (challenge?.scope === undefined || isScopeCovered(challenge.scope, used?.scope)) return undefined;
  const wanted = scopeUnion(used?.scope, challenge.scope) ?? "";
  if (settings.grant !== "authorization_code")
    return byMachine(deps, subject, { ...refused, challenge: { ...challenge, scope: wanted } }, guard);
  await deps.credentials.want(serverKey(subject), wanted);
  throw signInRequired(name, `this request needs additional scopes (${challenge.scope})`);
}

/** Requests tokens for the client itself. Concurrent callers share one request. */
function byMachine(
  deps: AuthDeps,
  subject: AuthSubject,
  refused: RefusedResponse,
  guard: Guard,
): Promise<Credential> {
  const { url, account, credentialId, settings } = subject;
  const { challenge, used } = refused;
  const key = JSON.stringify([url, account, credentialId, settings.clientId, challenge?.scope]);
  return singleFlight(deps.requesting, key, async () => {
    const before = used ?? (await findSignIn(deps, subject))?.credential;
    const plan = await planSignIn(guard, { url, settings, challenge, before });
    if (plan === undefined) throw UNDISCOVERED;
    const scope = challenge?.error === "insufficient_scope" ? challenge.scope : plan.scope;
    const dpopKey = settings.dpop === true ? (used?.dpop ?? (await createDpopKey())) : undefined;
    const dpop = dpopKey && (await dpopHandle(dpopKey));
    const now = deps.ports.clock.now();
    const got = await requestMachineTokens({ server: subject.name, guard, settings, plan, scope, now, dpop });
    return saveSignIn(deps, {
      ...got,
      subject,
      account: account ?? DEFAULT_ACCOUNT,
      guard,
      plan,
      scope,
      dpopKey,
    });
  });
}

/** Returns the error that tells the user to sign in, or why a sign-in cannot work. */
async function describeNeed(
  { name, url, settings, account }: AuthSubject,
  challenge: Challenge | undefined,
  guard: Guard,
): Promise<Error> {
  const plan = await planSignIn(guard, { url, settings, challenge });
  if (plan === undefined) return UNDISCOVERED;
  const { as } = plan;
  requirePkce(as, settings.allowNoPkce === true);
  const question = { server: name, settings, as };
  if (configuredClient(question) === undefined && as.registration_endpoint === undefined)
    return clientRequired(
      question,
      settings.redirectUri ?? `http://127.0.0.1:${settings.callbackPort ?? "<port>"}/callback`,
    );
  const because = account === undefined ? "you are not signed in" : `you are not signed in as "${account}"`;
  return signInRequired(name, because, undefined, account);
}
