import * as oauth from "oauth4webapi";
import type { OauthClient } from "../credentials/credential.ts";
import type { SignInPlan } from "../discovery/plan-sign-in.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import { Refusal } from "../refusal.ts";
import {
  requestOptions,
  type Tokens,
  toClient,
  toTokens,
  withNonce,
  withoutIdentity,
} from "../token-request.ts";

/** What is agreed on before a person is sent to the page, and compared with what comes back. */
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

/** The page to sign in at. */
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

/** Trades what came back for tokens, if it is the answer to what was asked. */
export async function exchangeCode(
  request: CodeRequest,
  answer: URLSearchParams,
  now: number,
): Promise<Tokens> {
  const { guard, plan, auth, redirectUri, scope, state, verifier, dpop, signal } = request;
  const { as, manual, resource } = plan;
  const client = toClient(request.client);
  if (manual) answer.delete("iss"); // whom it should name is not known
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
    return oauth.processAuthorizationCodeResponse(as, client, await withoutIdentity(response));
  };
  return toTokens(await withNonce(dpop, ask), now, scope);
}

/** What is in the address the browser ended at, or what a code alone stands for. */
export function readPasted(
  text: string,
  { plan, state }: Pick<CodeRequest, "plan" | "state">,
): URLSearchParams {
  const said = text.trim();
  if (URL.canParse(said)) {
    const { searchParams } = new URL(said);
    if (searchParams.get("state") !== state)
      throw new Refusal("the URL belongs to another sign-in; paste the final URL of this sign-in");
    return searchParams;
  }
  // Whoever pastes a code says by that whose it is; the verifier still has to fit.
  return new URLSearchParams({ code: said, state, iss: plan.as.issuer });
}
