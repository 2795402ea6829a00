import { createPrivateKey, type webcrypto } from "node:crypto";
import * as oauth from "oauth4webapi";
import { isJsonObject } from "../model/index.ts";
import type { Credential, OauthClient } from "./credentials/credential.ts";
import { assertPlain } from "./credentials/plain-token.ts";
import type { Guard } from "./guard/guarded-fetch.ts";
import type { OauthSettings } from "./oauth-settings.ts";
import { Refusal } from "./refusal.ts";

/** Tokens as they came, and when they end. */
export type Tokens = Pick<Credential, "accessToken" | "tokenType" | "obtainedAt"> &
  Partial<Pick<Credential, "refreshToken" | "expiresAt" | "scope">>;

/** What every request to an authorization server has in common. The guard checks addresses, more strictly than the library. */
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

/** How the client proves itself: as agreed, else the first way both sides know. */
export function clientAuth(
  { token_endpoint_auth_methods_supported: supported }: Partial<oauth.AuthorizationServer>,
  { clientSecret, method }: OauthClient,
): oauth.ClientAuth {
  if (clientSecret === undefined || method === "none") return oauth.None();
  const knows = (name: string): boolean => supported === undefined || supported.includes(name);
  const wanted = method ?? (knows("client_secret_basic") ? "client_secret_basic" : "client_secret_post");
  return wanted === "client_secret_post" ? oauth.ClientSecretPost(clientSecret) : basicAuth(clientSecret);
}

/** As the library's own, which also encodes what needs no encoding; many servers do not decode. */
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

/** Asks again, once, where the authorization server wants a nonce of its own in the proof first. */
export function withNonce<T>(dpop: oauth.DPoPHandle | undefined, ask: () => Promise<T>): Promise<T> {
  return ask().catch((error: unknown) => {
    if (dpop !== undefined && oauth.isDPoPNonceError(error)) return ask();
    throw error;
  });
}

/** Nobody here looks at identity tokens, so a wrong one must not spoil the right one beside it. */
export async function withoutIdentity(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const document: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (!isJsonObject(document) || document["id_token"] === undefined) return response;
  const { id_token: _, ...rest } = document;
  return new Response(JSON.stringify(rest), { status: 200, headers: response.headers });
}

/** A hundred years: beyond some number there is no such day. */
const LONGEST_LIFE_S = 100 * 365 * 86_400;

/** A token endpoint's answer as it is kept. `now` is when it came: its own clock may be another. */
export function toTokens(answer: oauth.TokenEndpointResponse, now: number, requested?: string): Tokens {
  const { access_token, token_type, refresh_token, expires_in, scope } = answer;
  if (!/^[\x21-\x7e]+$/.test(access_token)) throw new Refusal("the token cannot be sent in a header");
  assertPlain("the access token", access_token);
  assertPlain("the refresh token", refresh_token ?? "");
  const granted = scope ?? requested;
  return {
    accessToken: access_token,
    tokenType: token_type,
    obtainedAt: now,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(expires_in !== undefined && { expiresAt: now + Math.min(expires_in, LONGEST_LIFE_S) * 1000 }),
    ...(granted !== undefined && { scope: granted }),
  };
}
