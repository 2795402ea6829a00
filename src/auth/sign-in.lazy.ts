import * as oauth from "oauth4webapi";
import { endpointsNotFound, toAuthError } from "./auth-error.lazy.ts";
import { type AuthDeps, type AuthSubject, serverKey } from "./auth-subject.ts";
import { type Credential, DEFAULT_ACCOUNT } from "./credentials/credential.ts";
import { createDpopKey, dpopHandle } from "./credentials/dpop.lazy.ts";
import { saveSignIn } from "./credentials/save-sign-in.ts";
import { assertOwnSignInId } from "./credentials/sign-in-owner.ts";
import { planSignIn } from "./discovery/plan-sign-in.ts";
import { probeServer } from "./discovery/probe-server.ts";
import { Registrations } from "./discovery/register-client.ts";
import { signInWithCode } from "./flows/code-flow.ts";
import { signInWithDevice } from "./flows/device-flow.ts";
import { requestMachineTokens } from "./flows/machine-grant.ts";
import type { SignInOptions } from "./flows/sign-in-prompt.ts";
import { guardFor } from "./guard/guard-for.ts";
import { Guard } from "./guard/guarded-fetch.ts";
import { originsOf } from "./oauth-settings.ts";
import { scopeUnion } from "./scopes.ts";
import { clientAuth, requestOptions, toClient } from "./token-request.ts";

/** Signs in to a server and saves the sign-in. A previous sign-in is kept until the new one is complete. */
export async function signIn(
  deps: AuthDeps,
  subject: AuthSubject,
  options: SignInOptions,
): Promise<Credential> {
  try {
    return await run(deps, subject, options);
  } catch (error) {
    throw toAuthError(subject.name, error, options.signal);
  }
}

async function run(deps: AuthDeps, subject: AuthSubject, options: SignInOptions): Promise<Credential> {
  const { ports, credentials } = deps;
  const registrations = new Registrations(deps.clients ?? deps.vault, deps.redactor);
  const { name, url, settings } = subject;
  const { tokenUrl = "" } = settings;
  const account = options.account ?? subject.account ?? DEFAULT_ACCOUNT;
  const key = url && serverKey({ ...subject, url });
  const known = key === undefined ? undefined : await credentials.accountsOf(key);
  const before = key === undefined ? undefined : await credentials.find(key, account);
  await assertOwnSignInId(credentials, subject);
  const guard = guardFor(deps, subject, {
    server: url ?? new URL(URL.canParse(tokenUrl) ? tokenUrl : "https://unknown.invalid"),
    reach: before?.reach,
    signal: options.signal,
  });
  const challenge = url && (await probeServer(ports, url, options.signal));
  options.signal?.throwIfAborted();
  const plan = await planSignIn(guard, { url, settings, challenge, before });
  if (plan === undefined) throw endpointsNotFound(name);
  const { as } = plan;
  const isPerson = settings.grant === "authorization_code";
  const stepped = known?.wantedScope;
  const base = scopeUnion(plan.scope, stepped, stepped === undefined ? undefined : before?.scope);
  const offline = isPerson && base !== undefined && as.scopes_supported?.includes("offline_access");
  const scope = offline ? scopeUnion(base, "offline_access") : base;
  const dpopKey = settings.dpop === true ? await createDpopKey() : undefined;
  const dpop = dpopKey && (await dpopHandle(dpopKey));
  const hide = (secret: string): void => deps.redactor.add(secret);
  const flow = { ports, guard, server: name, settings, plan, scope, registrations, options, dpop, hide };
  const byDevice = options.device === true || as.authorization_endpoint === undefined;
  const byPerson = byDevice ? signInWithDevice : signInWithCode;
  const signedIn = await (isPerson
    ? byPerson(flow)
    : requestMachineTokens({ ...flow, now: ports.clock.now() }));
  return saveSignIn(deps, { ...signedIn, subject, account, guard, plan, scope, dpopKey });
}

/** Removes a sign-in and revokes its tokens. A failed revocation is ignored. */
export async function signOut(deps: AuthDeps, credential: Credential): Promise<void> {
  const { ports, credentials } = deps;
  const { server, client, url, reach, refreshToken, accessToken } = await credentials.remove(credential);
  const as = server as oauth.AuthorizationServer;
  if (as.revocation_endpoint === undefined) return;
  const guard = new Guard({
    http: ports.http,
    clock: ports.clock,
    server: new URL(url ?? as.revocation_endpoint),
    reach,
    inside: { only: originsOf([as.issuer, as.token_endpoint]) }, // the issuer of the tokens may receive them again
  });
  const auth = clientAuth(as, client);
  const revoke = async (token: string): Promise<void> =>
    oauth.processRevocationResponse(
      await oauth.revocationRequest(as, toClient(client), auth, token, requestOptions(guard)),
    );
  await Promise.allSettled([refreshToken, accessToken].flatMap((token) => (token ? [revoke(token)] : [])));
}
