/** How access tokens of one identity provider are checked. */
export interface OAuthAccess {
  /** The exact issuer. */
  readonly issuer: string;
  /** Another accepted `aud`, for identity providers that do not support the resource parameter. */
  readonly audience?: string;
  /** Scopes that every token must have. */
  readonly scopes: readonly string[];
  /** The claim with the person's groups. */
  readonly groupsClaim: string;
  /** The claim with the person's name, which rules can use. The identity provider must not let people choose it freely. */
  readonly nameClaim: string;
  /** The accepted signature algorithms. */
  readonly algorithms: readonly string[];
  /** The URL of the issuer's keys. Default: the one in the issuer's metadata. */
  readonly jwksUrl?: string;
  /** How to check tokens that are not JWTs. Without it, they are refused. */
  readonly introspection?: Introspection;
}

/** The identity provider's endpoint of RFC 7662. */
export interface Introspection {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The claims of a token whose signature or introspection was accepted. */
export interface TokenClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly email?: string;
  readonly groups: readonly string[];
  readonly scopes: readonly string[];
  /** When the token expires (ms since 1970). */
  readonly expiresAt: number;
  readonly id?: string;
}

/** Why a token was refused. The client gets only a general message; this is for the log. */
export class TokenRefusal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TokenRefusal";
  }
}

/** The identity provider could not be reached, so the token may be valid. */
export class ProviderUnreachable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ProviderUnreachable";
  }
}

/** Fetches documents of an identity provider, with the rules for addresses that servers choose. */
export type GuardedFetch = (
  url: string,
  init?: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: URLSearchParams;
  },
) => Promise<Response>;
