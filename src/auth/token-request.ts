import { createPrivateKey, type webcrypto } from "node:crypto";
import * as oauth from "oauth4webapi";
import { isJsonObject } from "../model/index.ts";
import type { Credential, OauthClient } from "./credentials/credential.ts";
import { assertValidToken } from "./credentials/valid-token.ts";
import type { Guard } from "./guard/guarded-fetch.ts";
import type { OauthSettings } from "./oauth-settings.ts";
import { Refusal } from "./refusal.ts";

/** The tokens of a token response, with their expiry. */
export type Tokens = Pick<Credential, "accessToken" | "tokenType" | "obtainedAt"> &
  Partial<Pick<Credential, "refreshToken" | "expiresAt" | "scope">>;

/** Returns the options of every request to an authorization server. The guard's URL checks replace the library's. */
export function requestOptions(guard: Guard, signal?: AbortSignal): RequestOptions {
  return {
    [oauth.customFetch]: guard.fetch,
    [oauth.allowInsecureRequests]: true,
    ...(signal && { signal }),
  };
}

interface RequestOptions {
  readonly [oauth.customFetch]: Guard["fetch"];
  readonly [oauth.allowInsecureRequests]: true;
  readonly signal?: AbortSignal;
}

export function toClient({ clientId }: OauthClient): oauth.Client {
  return { client_id: clientId };
}

/** Returns the client authentication: the registered method, or else the first one that the server supports. */
export function clientAuth(
  { token_endpoint_auth_methods_supported: supported }: Partial<oauth.AuthorizationServer>,
  { clientSecret, method }: OauthClient,
): oauth.ClientAuth {
  if (clientSecret === undefined || method === "none") return oauth.None();
  const knows = (name: string): boolean => supported === undefined || supported.includes(name);
  const wanted = method ?? (knows("client_secret_basic") ? "client_secret_basic" : "client_secret_post");
  return wanted === "client_secret_post" ? oauth.ClientSecretPost(clientSecret) : basicAuth(clientSecret);
}

/** Like the library's own, which also encodes characters that need no encoding. Many servers do not decode them. */
function basicAuth(secret: string): oauth.ClientAuth {
  const encode = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);
  return (_, { client_id }, __, headers) => {
    const pair = Buffer.from(`${encode(client_id)}:${encode(secret)}`).toString("base64");
    headers.set("authorization", `Basic ${pair}`);
  };
}

/** A signature of the client's own key in place of a secret. */
export async function privateKeyAuth({
  privateKey = "",
  signingAlgorithm = "ES256",
}: OauthSettings): Promise<oauth.ClientAuth> {
  const parameters = IMPORTS[signingAlgorithm];
  if (parameters === undefined) throw new Refusal(`signing with ${signingAlgorithm} is not supported`);
  try {
    const bytes = createPrivateKey(privateKey).export({ type: "pkcs8", format: "der" });
    const key = await crypto.subtle.importKey("pkcs8", bytes, parameters, false, ["sign"]);
    return oauth.PrivateKeyJwt(key);
  } catch (cause) {
    throw new Refusal("the private key cannot be read", { cause });
  }
}

const IMPORTS: Readonly<Record<string, webcrypto.EcKeyImportParams | webcrypto.RsaHashedImportParams>> = {
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  ES384: { name: "ECDSA", namedCurve: "P-384" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  PS256: { name: "RSA-PSS", hash: "SHA-256" },
};

/** Repeats the request once if the authorization server requires its own nonce in the DPoP proof. */
export function retryWithNonce<T>(dpop: oauth.DPoPHandle | undefined, ask: () => Promise<T>): Promise<T> {
  return ask().catch((error: unknown) => {
    if (dpop !== undefined && oauth.isDPoPNonceError(error)) return ask();
    throw error;
  });
}

/** Removes the ID token, which is not used here. An invalid one would make the library reject the whole response. */
export async function withoutIdToken(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const document: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (!isJsonObject(document) || document["id_token"] === undefined) return response;
  const { id_token: _, ...rest } = document;
  return new Response(JSON.stringify(rest), { status: 200, headers: response.headers });
}

/** A hundred years. The limit keeps the expiry within the range of a `Date`. */
const LONGEST_LIFETIME_S = 100 * 365 * 86_400;

/** Converts a token response for storage. `now` is the local time of the response, because the server's clock may differ. */
export function toTokens(answer: oauth.TokenEndpointResponse, now: number, requested?: string): Tokens {
  const { access_token, token_type, refresh_token, expires_in, scope } = answer;
  if (!/^[\x21-\x7e]+$/.test(access_token)) throw new Refusal("the token cannot be sent in a header");
  assertValidToken("the access token", access_token);
  assertValidToken("the refresh token", refresh_token ?? "");
  const granted = scope ?? requested;
  return {
    accessToken: access_token,
    tokenType: token_type,
    obtainedAt: now,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(expires_in !== undefined && { expiresAt: now + Math.min(expires_in, LONGEST_LIFETIME_S) * 1000 }),
    ...(granted !== undefined && { scope: granted }),
  };
}
