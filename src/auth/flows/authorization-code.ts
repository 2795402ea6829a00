import * as oauth from "oauth4webapi";
import type { OauthClient } from "../credentials/credential.ts";
import type { SignInPlan } from "../discovery/plan-sign-in.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import { Refusal } from "../refusal.ts";
import {
  requestOptions,
  retryWithNonce,
  type Tokens,
  toClient,
  toTokens,
  withoutIdToken,
} from "../token-request.ts";

/** The parameters of an authorization request. The response is checked against them. */
export interface CodeRequest {
  readonly guard: Guard;
  readonly plan: SignInPlan;
  readonly client: OauthClient;
  readonly auth: oauth.ClientAuth;
  readonly redirectUri: string;
  readonly scope: string | undefined;
  readonly state: string;
  readonly verifier: string;
  readonly dpop?: oauth.DPoPHandle | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the URL of the sign-in page. */
export async function authorizationUrl(request: CodeRequest): Promise<URL> {
  const { guard, plan, client, redirectUri, scope, state, verifier } = request;
  const { as, resource } = plan;
  if (as.authorization_endpoint === undefined)
    throw new Refusal("the authorization server has no authorization_endpoint");
  const url = guard.check(as.authorization_endpoint, "the sign-in page");
  guard.show(url);
  const parameters = {
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
    ...(scope?.split(" ").includes("offline_access") && { prompt: "consent" }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Checks the authorization response against the request and exchanges its code for tokens. */
export async function exchangeCode(
  request: CodeRequest,
  answer: URLSearchParams,
  now: number,
): Promise<Tokens> {
  const { guard, plan, auth, redirectUri, scope, state, verifier, dpop, signal } = request;
  const { as, manual, resource } = plan;
  const client = toClient(request.client);
  if (manual) answer.delete("iss"); // there is no known issuer to compare it with
  const checked = oauth.validateAuthResponse(as, client, answer, state);
  const options = {
    ...requestOptions(guard, signal),
    ...(resource !== undefined && { additionalParameters: { resource } }),
    ...(dpop && { DPoP: dpop }),
  };
  const ask = async (): Promise<oauth.TokenEndpointResponse> => {
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      auth,
      checked,
      redirectUri,
      verifier,
      options,
    );
    return oauth.processAuthorizationCodeResponse(as, client, await withoutIdToken(response));
  };
  return toTokens(await retryWithNonce(dpop, ask), now, scope);
}

/** Reads what the user pasted: the final URL of the browser, or only the code. */
export function parsePastedResponse(
  text: string,
  { plan, state }: Pick<CodeRequest, "plan" | "state">,
): URLSearchParams {
  const pasted = text.trim();
  if (URL.canParse(pasted)) {
    const { searchParams } = new URL(pasted);
    if (searchParams.get("state") !== state)
      throw new Refusal("the URL belongs to another sign-in; paste the final URL of this sign-in");
    return searchParams;
  }
  // A pasted code counts as the response to this request. The PKCE verifier still has to match.
  return new URLSearchParams({ code: pasted, state, iss: plan.as.issuer });
}
