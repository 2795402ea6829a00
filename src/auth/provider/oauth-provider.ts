import { isJsonObject, type JsonObject } from "../../model/index.ts";

/** Tokens as a provider stores them: the token response and its issuer. */
export interface ProviderTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
  readonly scope?: string;
  readonly issuer?: string;
}

/** A client registration as a provider stores it. */
export interface ProviderClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
  readonly issuer?: string;
}

/** The authorization server that a provider call is about. */
export interface ProviderContext {
  readonly issuer: string;
}

/**
 * A program's own OAuth provider: an `OAuthClientProvider` of the official SDK, which stores the tokens and opens the sign-in
 * page, or a plain `AuthProvider`, which only supplies a token.
 */
export interface OAuthProvider {
  /** Returns the bearer token, for a provider that manages its tokens itself. */
  token?(): unknown;
  /** Called when the server rejects the token. Resolves when a new token is available. */
  onUnauthorized?(context: { readonly response: { readonly status: number } }): unknown;

  /** Returns the stored tokens. */
  tokens?(context?: ProviderContext): unknown;
  /** Stores new tokens. */
  saveTokens?(tokens: ProviderTokens, context?: ProviderContext): unknown;
  /** Returns the stored OAuth client. */
  clientInformation?(context?: ProviderContext): unknown;
  /** Stores the client after its registration. */
  saveClientInformation?(client: ProviderClient, context?: ProviderContext): unknown;
  /** The metadata to register a client with. */
  readonly clientMetadata?: object | undefined;
  /** The URL of the client's metadata document, which is then its client id. */
  readonly clientMetadataUrl?: string | undefined;
  /** The URL that the authorization server redirects the browser to. */
  readonly redirectUrl?: string | URL | undefined;
  /** Returns the state of the next authorization request. */
  state?(): unknown;
  /** Stores the PKCE verifier of a sign-in. */
  saveCodeVerifier?(verifier: string): unknown;
  /** Opens the sign-in page. */
  redirectToAuthorization?(url: URL): unknown;
  /** Called when the authorization server no longer accepts the client or the tokens. */
  invalidateCredentials?(what: "client" | "tokens"): unknown;
  /** Adds custom client authentication to a token request. */
  addClientAuthentication?(
    headers: Headers,
    parameters: URLSearchParams,
    url: string,
    metadata?: object,
  ): unknown;
  /** Returns the parameters of a token request that needs no user. */
  prepareTokenRequest?(scope?: string): unknown;
}

/** Returns the provider's tokens, or an empty object if they belong to another issuer. */
export async function tokensOf(provider: OAuthProvider, issuer?: string): Promise<Partial<ProviderTokens>> {
  const given = await provider.tokens?.(issuer === undefined ? undefined : { issuer });
  return isJsonObject(given) && isForIssuer(given, issuer) ? given : {};
}

export async function clientOf(provider: OAuthProvider, issuer: string): Promise<ProviderClient | undefined> {
  const given = await provider.clientInformation?.({ issuer });
  const isClient =
    isJsonObject(given) && typeof given["client_id"] === "string" && isForIssuer(given, issuer);
  return isClient ? (given as unknown as ProviderClient) : undefined;
}

function isForIssuer(kept: JsonObject, issuer: string | undefined): boolean {
  return issuer === undefined || kept["issuer"] === undefined || kept["issuer"] === issuer;
}
