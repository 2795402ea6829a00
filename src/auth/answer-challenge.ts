import type { Challenge } from "./challenge.ts";
import type { AuthSubject, AuthWorks } from "./auth-subject.ts";
import { serverKey } from "./auth-subject.ts";
import { signInNeeded, toAuthError } from "./auth-error.ts";
import { type Credential, credentialId, DEFAULT_ACCOUNT } from "./credential.ts";
import { discoverResource } from "./discover-resource.ts";
import { requirePkce } from "./discover-server.ts";
import { createDpopKey, dpopHandle } from "./dpop.ts";
import { findCredential } from "./find-credential.ts";
import { Guard } from "./guarded-fetch.ts";
import { requestByMachine } from "./machine-grant.ts";
import { planSignIn, type SignInPlan } from "./plan-sign-in.ts";
import { refreshCredential } from "./refresh.ts";
import { clientNeeded, givenClient } from "./register-client.ts";
import { scopeUnion, scopeWithin } from "./scopes.ts";

export interface Refused {
  readonly status: number;
  readonly challenge: Challenge | undefined;
  /** The sign-in that was refused. */
  readonly used: Credential | undefined;
}

/**
 * What to do about a refusal: other tokens to try again with, or nothing when there is nothing in it for us. Throws
 * when a person has to sign in. Opens no browser and registers nothing.
 */
export async function answerChallenge(
  works: AuthWorks,
  subject: AuthSubject,
  refused: Refused,
): Promise<Credential | undefined> {
  const { status, challenge, used } = refused;
  const { name, url } = subject;
  if (url === undefined || (status === 403 && challenge?.error !== "insufficient_scope")) return undefined;
  const { ports, credentials } = works;
  const guard = new Guard({ http: ports.http, clock: ports.clock, server: url, reach: used?.reach });
  try {
    if (status === 403) return await stepUp(works, subject, refused, guard);
    // Another process may have renewed it, or signed in anew, as another client even.
    const latest = (used && (await credentials.byId(used.id))) ?? (await findCredential(works, subject));
    const isOther = latest?.id !== used?.id || (latest?.generation ?? 0) > (used?.generation ?? 0);
    if (latest !== undefined && isOther) return latest;
    if (subject.settings.grant !== "authorization_code")
      return await byMachine(works, subject, refused, guard);
    if (used !== undefined && latest !== undefined)
      return await renew(works, subject, used, challenge, guard);
    throw await describeNeed(subject, challenge, guard);
  } catch (error) {
    if (error === UNDISCOVERED) return undefined;
    throw toAuthError(name, error);
  }
}

const UNDISCOVERED = new Error("nobody says where to sign in");

/** The same sign-in, if the server still trusts its issuer. */
async function renew(
  works: AuthWorks,
  subject: AuthSubject,
  credential: Credential,
  challenge: Challenge | undefined,
  guard: Guard,
): Promise<Credential> {
  const { name, url, settings } = subject;
  const isManual = settings.tokenUrl !== undefined || settings.authServerMetadataUrl !== undefined;
  const found =
    isManual || url === undefined
      ? undefined
      : await discoverResource(guard, url, challenge?.resourceMetadata);
  const { issuer } = credential.server;
  if (found !== undefined && found.issuers.length > 0 && !found.issuers.includes(issuer))
    throw signInNeeded(name, `it no longer trusts ${new URL(issuer).host}`);
  return refreshOnce(works, subject, credential);
}

/** However many callers ask at once. */
export function refreshOnce(works: AuthWorks, subject: AuthSubject, seen: Credential): Promise<Credential> {
  const { refreshing } = works;
  const running =
    refreshing.get(seen.id) ??
    refreshCredential({ ...works, subject }, seen).finally(() => refreshing.delete(seen.id));
  refreshing.set(seen.id, running);
  return running;
}

/** More than was asked for so far, and all of that again. What was granted already and is refused still, no sign-in mends. */
async function stepUp(
  works: AuthWorks,
  subject: AuthSubject,
  refused: Refused,
  guard: Guard,
): Promise<Credential | undefined> {
  const { challenge, used } = refused;
  const { name, url, settings } = subject;
  if (challenge?.scope === undefined || url === undefined || scopeWithin(challenge.scope, used?.scope))
    return undefined;
  const wanted = scopeUnion(used?.scope, challenge.scope) ?? "";
  if (settings.grant !== "authorization_code")
    return byMachine(works, subject, { ...refused, challenge: { ...challenge, scope: wanted } }, guard);
  await works.credentials.want(serverKey(url), wanted);
  throw signInNeeded(name, `this takes more rights than you gave it (${challenge.scope})`);
}

async function byMachine(
  works: AuthWorks,
  subject: AuthSubject,
  { challenge, used }: Refused,
  guard: Guard,
): Promise<Credential> {
  const { name, url, settings, account = DEFAULT_ACCOUNT } = subject;
  const plan = await planSignIn(guard, { url, settings, challenge, issuer: used?.server.issuer });
  if (plan === undefined) throw UNDISCOVERED;
  const { as, resource, scope } = plan;
  const now = works.ports.clock.now();
  const key = settings.dpop === true ? (used?.dpop ?? (await createDpopKey())) : undefined;
  const dpop = key && (await dpopHandle(key));
  const asked = challenge?.error === "insufficient_scope" ? challenge.scope : scope;
  const { client, tokens } = await requestByMachine({
    server: name,
    guard,
    settings,
    plan,
    scope: asked,
    now,
    dpop,
  });
  return works.credentials.adopt({
    ...tokens,
    id: subject.credentialId ?? credentialId(as.issuer, client.clientId, resource ?? "", account),
    account,
    server: knownServer(plan),
    client: { clientId: client.clientId }, // the secret stays where it was
    ...(url !== undefined && { url: serverKey(url) }),
    ...(resource !== undefined && { resource }),
    ...(guard.reach !== undefined && { reach: guard.reach }),
    ...(key && { dpop: key }),
    generation: 0,
  });
}

/** Why nothing but a sign-in helps, or why that would not help either. */
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
  if (givenClient(question) === undefined && as.registration_endpoint === undefined)
    return clientNeeded(
      question,
      settings.redirectUri ?? `http://127.0.0.1:${settings.callbackPort ?? "<port>"}/callback`,
    );
  const who = account === undefined ? "nobody is signed in yet" : `nobody is signed in as "${account}"`;
  return signInNeeded(name, who, undefined, account);
}

/** What is needed of it later. */
export function knownServer({ as }: SignInPlan): Credential["server"] {
  const { issuer, token_endpoint, revocation_endpoint, token_endpoint_auth_methods_supported: methods } = as;
  return {
    issuer,
    ...(token_endpoint !== undefined && { token_endpoint }),
    ...(revocation_endpoint !== undefined && { revocation_endpoint }),
    ...(methods !== undefined && { token_endpoint_auth_methods_supported: methods }),
  };
}
