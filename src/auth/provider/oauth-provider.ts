import { isJsonObject, type JsonObject } from "../../model/index.ts";

/** Tokens as a provider keeps them: the answer of a token endpoint, and whose it is. */
export interface ProviderTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
  readonly scope?: string;
  readonly issuer?: string;
}

/** A client as a provider keeps it. */
export interface ProviderClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
  readonly issuer?: string;
}

/** For which authorization server something is asked or kept. */
export interface ProviderContext {
  readonly issuer: string;
}

/**
 * A program's own way to sign in: an `OAuthClientProvider` of the official SDK, which keeps the tokens and sends the
 * person to the page, or its plain `AuthProvider`, which just has a token.
 */
export interface OAuthProvider {
  token?(): unknown;
  /** Told that the token was refused; resolves when another is there. */
  onUnauthorized?(context: { readonly response: { readonly status: number } }): unknown;

  tokens?(context?: ProviderContext): unknown;
  saveTokens?(tokens: ProviderTokens, context?: ProviderContext): unknown;
  clientInformation?(context?: ProviderContext): unknown;
  saveClientInformation?(client: ProviderClient, context?: ProviderContext): unknown;
  readonly clientMetadata?: object | undefined;
  readonly clientMetadataUrl?: string | undefined;
  readonly redirectUrl?: string | URL | undefined;
  state?(): unknown;
  saveCodeVerifier?(verifier: string): unknown;
  redirectToAuthorization?(url: URL): unknown;
  /** Told what the authorization server no longer takes. */
  invalidateCredentials?(what: "client" | "tokens"): unknown;
  /** For clients that prove themselves in ways of their own. */
  addClientAuthentication?(
    headers: Headers,
    parameters: URLSearchParams,
    url: string,
    metadata?: object,
  ): unknown;
  /** For programs that sign in without a person. */
  prepareTokenRequest?(scope?: string): unknown;
}

/** The tokens it has; those of another authorization server are none. */
export async function tokensOf(provider: OAuthProvider, issuer?: string): Promise<Partial<ProviderTokens>> {
  const given = await provider.tokens?.(issuer === undefined ? undefined : { issuer });
  return isJsonObject(given) && isOf(given, issuer) ? given : {};
}

export async function clientOf(provider: OAuthProvider, issuer: string): Promise<ProviderClient | undefined> {
  const given = await provider.clientInformation?.({ issuer });
  const isClient = isJsonObject(given) && typeof given["client_id"] === "string" && isOf(given, issuer);
  return isClient ? (given as unknown as ProviderClient) : undefined;
}

function isOf(kept: JsonObject, issuer: string | undefined): boolean {
  return issuer === undefined || kept["issuer"] === undefined || kept["issuer"] === issuer;
}
