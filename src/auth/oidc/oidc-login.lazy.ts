import * as oauth from "oauth4webapi";
import { isList, type JsonObject, type JsonValue } from "../../model/index.ts";
import type { Clock, Http } from "../../platform/index.ts";
import type { OauthClient } from "../credentials/credential.ts";
import { Guard } from "../guard/guarded-fetch.ts";
import { Refusal } from "../refusal.ts";
import { clientAuth, requestOptions, toClient } from "../token-request.ts";

const METADATA_MS = 600_000;
const LONGEST_TEXT = 256;
const MOST_GROUPS = 1_000;

/** How people sign in with OpenID Connect. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  readonly nameClaim: string;
  readonly redirectUri: string;
}

/** What must be kept between the redirect and its answer. */
export interface OidcRequest {
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Who signed in, as the identity provider says. */
export interface OidcPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly email?: string;
  readonly groups: readonly string[];
}

/** Signs people in with the authorization code flow and PKCE. */
export class OidcLogin {
  readonly #settings: OidcSettings;
  readonly #clock: Clock;
  readonly #guard: Guard;
  #metadata: { readonly as: oauth.AuthorizationServer; readonly at: number } | undefined;

  constructor(settings: OidcSettings, { http, clock }: { readonly http: Http; readonly clock: Clock }) {
    this.#settings = settings;
    this.#clock = clock;
    this.#guard = new Guard({ http, clock, server: new URL(settings.issuer) });
  }

  /** Returns the page on which a person signs in. */
  async start(): Promise<OidcRequest> {
    const { clientId, scopes, redirectUri } = this.#settings;
    const as = await this.#discover();
    if (as.authorization_endpoint === undefined)
      throw new Refusal("the identity provider has no sign-in page");
    const url = this.#guard.check(as.authorization_endpoint, "the sign-in page");
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const verifier = oauth.generateRandomCodeVerifier();
    const parameters = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: [...new Set(["openid", ...scopes])].join(" "),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url: url.href, state, nonce, verifier };
  }

  /** Checks the answer of the identity provider. Rejects unless it belongs to the request. */
  async finish(
    { state, nonce, verifier }: Omit<OidcRequest, "url">,
    answer: URLSearchParams,
  ): Promise<OidcPerson> {
    const { clientId, clientSecret, redirectUri } = this.#settings;
    const as = await this.#discover();
    const given: OauthClient = { clientId, ...(clientSecret !== undefined && { clientSecret }) };
    const client = toClient(given);
    const checked = oauth.validateAuthResponse(as, client, answer, state);
    const options = requestOptions(this.#guard);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      clientAuth(as, given),
      checked,
      redirectUri,
      verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(as, response, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (claims === undefined) throw new Refusal("the identity provider sent no ID token");
    return this.#personIn(claims as unknown as JsonObject);
  }

  async #discover(): Promise<oauth.AuthorizationServer> {
    const known = this.#metadata;
    if (known !== undefined && this.#clock.now() - known.at < METADATA_MS) return known.as;
    const issuer = new URL(this.#settings.issuer);
    const options = requestOptions(this.#guard);
    const response = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oidc" });
    const as = await oauth.processDiscoveryResponse(issuer, response);
    this.#metadata = { as, at: this.#clock.now() };
    return as;
  }

  #personIn(claims: JsonObject): OidcPerson {
    const { groupsClaim, nameClaim, issuer } = this.#settings;
    const { sub, email, email_verified: isVerified } = claims;
    const name = claims[nameClaim] ?? sub;
    if (!isName(sub) || !isName(name)) throw new Refusal("the identity provider names no person");
    const groups = claims[groupsClaim];
    return {
      issuer,
      subject: sub,
      name,
      ...(isName(email) && isVerified !== false && { email }),
      groups: isList(groups) ? groups.filter(isName).slice(0, MOST_GROUPS) : [],
    };
  }
}

function isName(value: JsonValue | undefined): value is string {
  return (
    typeof value === "string" &&
    value !== "" &&
    value.length <= LONGEST_TEXT &&
    !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(value)
  );
}
