import * as oauth from "oauth4webapi";
import { HostError } from "../../model/index.ts";
import type { OauthClient } from "../credentials/credential.ts";
import type { SignInPlan } from "../discovery/plan-sign-in.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import type { OauthSettings } from "../oauth-settings.ts";
import { Refusal } from "../refusal.ts";
import {
  clientAuth,
  privateKeyAuth,
  requestOptions,
  retryWithNonce,
  type Tokens,
  toClient,
  toTokens,
  withoutIdToken,
} from "../token-request.ts";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

export interface MachineRequest {
  readonly server: string;
  readonly guard: Guard;
  readonly settings: OauthSettings;
  readonly plan: SignInPlan;
  readonly scope: string | undefined;
  readonly now: number;
  readonly dpop?: oauth.DPoPHandle | undefined;
}

/** Requests tokens without user interaction: for the client itself, or in exchange for an assertion. */
export async function requestMachineTokens(
  request: MachineRequest,
): Promise<{ client: OauthClient; tokens: Tokens }> {
  const { guard, settings, plan, scope, now, server, dpop } = request;
  const { as, resource } = plan;
  const { clientId, clientSecret } = settings;
  if (clientId === undefined)
    throw new HostError("AUTH_CLIENT_REQUIRED", `"${server}" requires an OAuth client ID.`, {
      server,
      hint: 'Set "oauth": { "clientId": "…" } in its entry.',
    });
  const client: OauthClient = { clientId, ...(clientSecret !== undefined && { clientSecret }) };
  const auth = settings.privateKey === undefined ? clientAuth(as, client) : await privateKeyAuth(settings);
  const parameters = {
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
    ...(settings.grant === "jwt_bearer" && { assertion: await assertionFor(request) }),
  };
  const grant = settings.grant === "jwt_bearer" ? JWT_BEARER : "client_credentials";
  const options = { ...requestOptions(guard), ...(dpop && { DPoP: dpop }) };
  const ask = async () =>
    oauth.processGenericTokenEndpointResponse(
      as,
      toClient(client),
      await withoutIdToken(
        await oauth.genericTokenEndpointRequest(as, toClient(client), auth, grant, parameters, options),
      ),
    );
  return { client, tokens: toTokens(await retryWithNonce(dpop, ask), now, scope) };
}

/** Returns the assertion of the entry, or requests one from the identity provider. */
async function assertionFor({ guard, settings, plan, scope }: MachineRequest): Promise<string> {
  const { assertion, idp } = settings;
  if (assertion !== undefined) return assertion;
  if (idp === undefined) throw new Refusal('"oauth" has neither an "assertion" nor an "idp"');
  const token = guard.check(idp.tokenUrl, "idp.tokenUrl").href;
  const authority: oauth.AuthorizationServer = { issuer: token, token_endpoint: token };
  const client = { client_id: idp.clientId };
  const response = await oauth.genericTokenEndpointRequest(
    authority,
    client,
    oauth.None(),
    TOKEN_EXCHANGE,
    {
      requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
      audience: plan.as.issuer,
      subject_token: idp.idToken,
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      ...(plan.resource !== undefined && { resource: plan.resource }),
      ...(scope !== undefined && { scope }),
    },
    requestOptions(guard),
  );
  const answer = await oauth.processGenericTokenEndpointResponse(authority, client, response, {
    recognizedTokenTypes: { n_a: () => {} },
  });
  return answer.access_token;
}
