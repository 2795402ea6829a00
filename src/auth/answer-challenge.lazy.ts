import { singleFlight } from "../model/index.ts";
import { signInNeeded, toAuthError } from "./auth-error.lazy.ts";
import type { AuthDeps, AuthSubject } from "./auth-subject.ts";
import { serverKey } from "./auth-subject.ts";
import { type Credential, DEFAULT_ACCOUNT } from "./credentials/credential.ts";
import { createDpopKey, dpopHandle } from "./credentials/dpop.lazy.ts";
import { findCredential } from "./credentials/find-credential.ts";
import { keepSignIn } from "./credentials/keep-sign-in.ts";
import { renewCredential } from "./credentials/renew-credential.lazy.ts";
import { whyUnused } from "./credentials/sign-in-owner.ts";
import type { Challenge } from "./discovery/challenge.ts";
import { discoverResource } from "./discovery/discover-resource.ts";
import { requirePkce } from "./discovery/discover-server.ts";
import { planSignIn } from "./discovery/plan-sign-in.ts";
import { clientNeeded, givenClient } from "./discovery/register-client.ts";
import { requestByMachine } from "./flows/machine-grant.ts";
import { guardFor } from "./guard/guard-for.ts";
import type { Guard } from "./guard/guarded-fetch.ts";
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
  works: AuthDeps,
  subject: AuthSubject,
  refused: Refused,
): Promise<Credential | undefined> {
  const { status, challenge, used } = refused;
  const { name, url } = subject;
  if (url === undefined || (status === 403 && challenge?.error !== "insufficient_scope")) return undefined;
  const { credentials } = works;
  const remote = { ...subject, url };
  const guard = guardFor(works, subject, { server: url, reach: used?.reach });
  try {
    // Another process may have renewed it, or signed in anew, as another client even.
    const kept = used && (await credentials.byId(used.id));
    const isStillOurs = kept !== undefined && (await whyUnused(credentials, kept, subject)) === undefined;
    const latest = isStillOurs ? kept : await findCredential(works, subject);
    if (latest !== undefined && (latest.id !== used?.id || latest.generation > used.generation))
      return latest;
    if (status === 403) return await stepUp(works, remote, refused, guard);
    if (subject.settings.grant !== "authorization_code")
      return await byMachine(works, subject, refused, guard);
    if (used !== undefined && latest !== undefined) return await renew(works, remote, used, challenge, guard);
    throw await describeNeed(subject, challenge, guard);
  } catch (error) {
    if (error === UNDISCOVERED) return undefined;
    throw toAuthError(name, error);
  }
}

const UNDISCOVERED = new Error("nobody says where to sign in");

/** A server that has an address. */
type RemoteSubject = AuthSubject & { readonly url: URL };

/** The same sign-in, if the server still trusts its issuer. */
async function renew(
  works: AuthDeps,
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
    throw signInNeeded(name, `the server no longer accepts tokens from ${new URL(issuer).host}`);
  return renewOnce(works, subject, credential);
}

export function renewOnce(works: AuthDeps, subject: AuthSubject, seen: Credential): Promise<Credential> {
  return singleFlight(works.renewing, seen.id, () => renewCredential(works, subject, seen));
}

/** More than was asked for so far, and all of that again. What was granted already and is refused still, no sign-in mends. */
async function stepUp(
  works: AuthDeps,
  subject: RemoteSubject,
  refused: Refused,
  guard: Guard,
): Promise<Credential | undefined> {
  const { challenge, used } = refused;
  const { name, settings } = subject;
  if (challenge?.scope === undefined || scopeWithin(challenge.scope, used?.scope)) return undefined;
  const wanted = scopeUnion(used?.scope, challenge.scope) ?? "";
  if (settings.grant !== "authorization_code")
    return byMachine(works, subject, { ...refused, challenge: { ...challenge, scope: wanted } }, guard);
  await works.credentials.want(serverKey(subject), wanted);
  throw signInNeeded(name, `this request needs additional scopes (${challenge.scope})`);
}

/** Tokens for the client itself, asked for once for all who want the same. */
function byMachine(
  works: AuthDeps,
  subject: AuthSubject,
  refused: Refused,
  guard: Guard,
): Promise<Credential> {
  const { url, account, credentialId, settings } = subject;
  const { challenge, used } = refused;
  const key = JSON.stringify([url, account, credentialId, settings.clientId, challenge?.scope]);
  return singleFlight(works.requesting, key, async () => {
    const plan = await planSignIn(guard, { url, settings, challenge, issuer: used?.server.issuer });
    if (plan === undefined) throw UNDISCOVERED;
    const scope = challenge?.error === "insufficient_scope" ? challenge.scope : plan.scope;
    const dpopKey = settings.dpop === true ? (used?.dpop ?? (await createDpopKey())) : undefined;
    const dpop = dpopKey && (await dpopHandle(dpopKey));
    const now = works.ports.clock.now();
    const got = await requestByMachine({ server: subject.name, guard, settings, plan, scope, now, dpop });
    return keepSignIn(works, {
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
  const who = account === undefined ? "you are not signed in" : `you are not signed in as "${account}"`;
  return signInNeeded(name, who, undefined, account);
}
