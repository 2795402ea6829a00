import * as oauth from "oauth4webapi";
import { isJsonObject } from "../../model/index.ts";
import { endpointsNotFound, oauthErrorCode, signInRequired, toAuthError } from "../auth-error.lazy.ts";
import { type AuthDeps, type AuthSubject, serverKey } from "../auth-subject.ts";
import { type Credential, credentialId, DEFAULT_ACCOUNT } from "../credentials/credential.ts";
import type { Challenge } from "../discovery/challenge.ts";
import { requirePkce } from "../discovery/discover-server.ts";
import { planSignIn, type SignInPlan } from "../discovery/plan-sign-in.ts";
import { probeServer } from "../discovery/probe-server.ts";
import {
  authorizationUrl,
  type CodeRequest,
  exchangeCode,
  parsePastedResponse,
} from "../flows/authorization-code.ts";
import type { SignInOptions } from "../flows/sign-in-prompt.ts";
import { guardFor } from "../guard/guard-for.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import { Refusal } from "../refusal.ts";
import { scopeUnion } from "../scopes.ts";
import { requestOptions, type Tokens, toClient, toTokens, withoutIdToken } from "../token-request.ts";
import { type OAuthProvider, type ProviderTokens, tokensOf } from "./oauth-provider.ts";
import { clientAuthOf, knownClient, registeredClient } from "./provider-client.ts";

/** A server and the program's provider that signs in to it. */
export interface ProviderSubject {
  readonly deps: AuthDeps;
  readonly subject: AuthSubject & { readonly url: URL };
  readonly provider: OAuthProvider;
}

/** Gets tokens without the user, by renewal or with the provider's own request. Returns whether it got any. */
export async function renewWithProvider(
  { deps, subject, provider }: ProviderSubject,
  challenge: Challenge | undefined,
): Promise<boolean> {
  const hasOwnRequest = provider.prepareTokenRequest !== undefined && provider.redirectUrl === undefined;
  if (provider.saveTokens === undefined) return false;
  if (!hasOwnRequest && (await tokensOf(provider)).refresh_token === undefined) return false;
  const { guard, plan } = await planFor({ deps, subject, provider }, challenge);
  const { as, resource, scope } = plan;
  const client = await knownClient(provider, as);
  const { refresh_token: refreshToken, scope: granted } = await tokensOf(provider, as.issuer);
  for (const secret of [refreshToken, client?.clientSecret])
    if (secret !== undefined) deps.redactor.add(secret);
  const prepared = hasOwnRequest ? await provider.prepareTokenRequest?.(scope) : undefined;
  const parameters = new URLSearchParams(prepared instanceof URLSearchParams ? prepared : undefined);
  if (!hasOwnRequest && refreshToken !== undefined) {
    parameters.set("grant_type", "refresh_token");
    parameters.set("refresh_token", refreshToken);
  }
  const grant = parameters.get("grant_type");
  if (client === undefined || grant === null) return false;
  if (resource !== undefined) parameters.set("resource", resource);
  try {
    const auth = clientAuthOf(provider, as, client);
    const options = requestOptions(guard);
    const response = await oauth.genericTokenEndpointRequest(
      as,
      toClient(client),
      auth,
      grant,
      parameters,
      options,
    );
    const answer = await oauth.processGenericTokenEndpointResponse(
      as,
      toClient(client),
      await withoutIdToken(response),
    );
    const tokens = toTokens(answer, deps.ports.clock.now(), granted);
    const kept = !hasOwnRequest && refreshToken !== undefined ? { refreshToken } : {};
    await keep(provider, as.issuer, { ...kept, ...tokens });
    return true;
  } catch (error) {
    const code = oauthErrorCode(error);
    if (code === "invalid_grant") await provider.invalidateCredentials?.("tokens");
    else if (code === "invalid_client") await provider.invalidateCredentials?.("client");
    if (hasOwnRequest || code === undefined) throw error;
    throw signInRequired(subject.name, `the sign-in is no longer valid (${code})`);
  }
}

/** Signs in through the provider, which opens the page and stores the tokens. `show` returns the pasted response. */
export async function signInByProvider(
  { deps, subject, provider }: ProviderSubject,
  options: SignInOptions,
): Promise<Credential> {
  try {
    const challenge = await probeServer(deps.ports, subject.url, options.signal);
    options.signal?.throwIfAborted();
    return await authorize({ deps, subject, provider }, challenge, options);
  } catch (error) {
    throw toAuthError(subject.name, error, options.signal);
  }
}

async function authorize(
  { deps, subject, provider }: ProviderSubject,
  challenge: Challenge | undefined,
  { show, signal }: SignInOptions,
): Promise<Credential> {
  const { name, settings } = subject;
  const { guard, plan } = await planFor({ deps, subject, provider }, challenge, signal);
  const { as, resource } = plan;
  requirePkce(as, false);
  const redirectUri = String(provider.redirectUrl ?? "");
  if (provider.redirectToAuthorization === undefined || redirectUri === "")
    throw new Refusal("the program's provider has no redirectToAuthorization or no redirectUrl");
  const client = await registeredClient(provider, { server: name, settings, as }, guard, redirectUri);
  deps.redactor.add(client.clientSecret ?? "");
  const scope = await scopeToAskFor({ deps, subject, provider }, plan);
  const given = await provider.state?.();
  const state = typeof given === "string" && given !== "" ? given : oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  deps.redactor.add(verifier);
  await provider.saveCodeVerifier?.(verifier);
  const auth = clientAuthOf(provider, as, client);
  const request: CodeRequest = { guard, plan, client, auth, redirectUri, scope, state, verifier, signal };
  const url = await authorizationUrl(request);
  await provider.redirectToAuthorization(url);
  const prompt = {
    server: name,
    url: url.href,
    opened: true,
    signal: signal ?? new AbortController().signal,
  };
  const text = await show?.(url.href, prompt);
  if (typeof text !== "string" || text.trim() === "")
    throw signInRequired(name, "complete the sign-in on the page that the program opened");
  const answer = parsePastedResponse(text, request);
  deps.redactor.add(answer.get("code") ?? "");
  const tokens = await exchangeCode(request, answer, deps.ports.clock.now());
  await keep(provider, as.issuer, tokens);
  return {
    ...tokens,
    id: credentialId(as.issuer, client.clientId, resource ?? "", DEFAULT_ACCOUNT),
    account: DEFAULT_ACCOUNT,
    server: { issuer: as.issuer },
    client: { clientId: client.clientId },
    url: serverKey(subject),
    generation: 0,
  };
}

async function scopeToAskFor(
  { deps, subject, provider }: ProviderSubject,
  { as, scope }: SignInPlan,
): Promise<string | undefined> {
  const { wantedScope } = await deps.credentials.accountsOf(serverKey(subject));
  const { scope: granted } = await tokensOf(provider, as.issuer);
  const wanted = scopeUnion(scope, wantedScope, wantedScope === undefined ? undefined : granted);
  const offline = wanted !== undefined && as.scopes_supported?.includes("offline_access");
  return offline ? scopeUnion(wanted, "offline_access") : wanted;
}

async function planFor(
  { deps, subject, provider }: ProviderSubject,
  challenge: Challenge | undefined,
  signal?: AbortSignal,
): Promise<{ guard: Guard; plan: SignInPlan }> {
  const { name, url, settings } = subject;
  const guard = guardFor(deps, subject, { server: url, signal });
  const plan = await planSignIn(guard, { url, settings, challenge });
  if (plan === undefined) throw endpointsNotFound(name);
  const { clientMetadata } = provider;
  const wanted = isJsonObject(clientMetadata) ? clientMetadata["scope"] : undefined;
  const fallback = typeof wanted === "string" && wanted !== "" ? wanted : undefined;
  return { guard, plan: { ...plan, scope: plan.scope ?? fallback } };
}

async function keep(provider: OAuthProvider, issuer: string, tokens: Tokens): Promise<void> {
  const { accessToken, tokenType, refreshToken, expiresAt, obtainedAt, scope } = tokens;
  const kept: ProviderTokens = {
    access_token: accessToken,
    token_type: tokenType,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(expiresAt !== undefined && { expires_in: Math.round((expiresAt - obtainedAt) / 1000) }),
    ...(scope !== undefined && { scope }),
    issuer,
  };
  await provider.saveTokens?.(kept, { issuer });
}
