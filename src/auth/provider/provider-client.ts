import type * as oauth from "oauth4webapi";
import type { OauthClient } from "../credentials/credential.ts";
import {
  type ClientRequest,
  clientRequired,
  configuredClient,
  requestRegistration,
} from "../discovery/register-client.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import { clientAuth } from "../token-request.ts";
import { clientOf, type OAuthProvider } from "./oauth-provider.ts";

/** Returns the provider's client: the stored one, or its metadata document. */
export async function knownClient(
  provider: OAuthProvider,
  as: oauth.AuthorizationServer,
): Promise<OauthClient | undefined> {
  const known = await clientOf(provider, as.issuer);
  if (known === undefined) {
    const { clientMetadataUrl } = provider;
    return clientMetadataUrl === undefined
      ? undefined
      : configuredClient({ server: "", settings: { grant: "authorization_code", clientMetadataUrl }, as });
  }
  const { client_id: clientId, client_secret: clientSecret, token_endpoint_auth_method: method } = known;
  return {
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(method !== undefined && { method }),
  };
}

/** Returns the provider's client. Registers one and passes it to the provider if there is none. */
export async function registeredClient(
  provider: OAuthProvider,
  question: ClientRequest,
  guard: Guard,
  redirectUri: string,
): Promise<OauthClient> {
  const { as } = question;
  const known = await knownClient(provider, as);
  if (known !== undefined) return known;
  const { clientMetadata = {} } = provider;
  if (as.registration_endpoint === undefined || provider.saveClientInformation === undefined)
    throw clientRequired(question, redirectUri);
  const client = await requestRegistration(guard, as, redirectUri, clientMetadata);
  await provider.saveClientInformation({ ...client, issuer: as.issuer }, { issuer: as.issuer });
  const { client_secret: clientSecret, token_endpoint_auth_method: method } = client;
  return {
    clientId: client.client_id,
    ...(typeof clientSecret === "string" && { clientSecret }),
    ...(typeof method === "string" && { method }),
  };
}

/** Returns the client authentication, which the provider may supply itself. */
export function clientAuthOf(
  provider: OAuthProvider,
  as: oauth.AuthorizationServer,
  client: OauthClient,
): oauth.ClientAuth {
  if (provider.addClientAuthentication === undefined) return clientAuth(as, client);
  return async (_, __, body, headers) => {
    await provider.addClientAuthentication?.(headers, body, as.token_endpoint ?? "", as);
  };
}
