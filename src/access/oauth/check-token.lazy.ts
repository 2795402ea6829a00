import { loadGuardedFetch } from "../../auth/index.ts";
import { isJsonObject, type JsonObject } from "../../model/index.ts";
import type { Clock, Http } from "../../platform/index.ts";
import {
  type GuardedFetch,
  type Introspection,
  type OAuthAccess,
  ProviderUnreachable,
  type TokenClaims,
  TokenRefusal,
} from "./oauth-access.ts";
import { ProviderKeys } from "./provider-keys.ts";
import { checkClaims } from "./token-claims.ts";
import { isSignedBy, parseJwt } from "./verify-jwt.ts";

const LONGEST_OPAQUE = 4_096;

/** The identity providers whose tokens are accepted. */
export class TokenChecker {
  readonly #providers: readonly Provider[];
  readonly #clock: Clock;

  constructor(providers: readonly Provider[], clock: Clock) {
    this.#providers = providers;
    this.#clock = clock;
  }

  /** Checks a token for a resource. Rejects with a `TokenRefusal`, or with `ProviderUnreachable` if that is unknown now. */
  async check(text: string, resource: string): Promise<TokenClaims> {
    const isJwt = text.split(".").length === 3;
    let refusal: unknown = new TokenRefusal("no identity provider accepts it");
    for (const provider of this.#providers) {
      try {
        const claims = isJwt ? await claimsOfJwt(provider, text) : await introspect(provider, text);
        return checkClaims(claims, provider.access, resource, this.#clock.now());
      } catch (error) {
        // An outage must not look like a refusal, even if another provider refuses the token.
        if (!(refusal instanceof ProviderUnreachable)) refusal = error;
      }
    }
    throw refusal;
  }
}

interface Provider {
  readonly access: OAuthAccess;
  readonly keys: ProviderKeys;
  readonly fetch: GuardedFetch;
}

/** Creates a checker for these identity providers. Sends no requests. */
export async function createTokenChecker(
  accepted: readonly OAuthAccess[],
  { http, clock }: { readonly http: Http; readonly clock: Clock },
): Promise<TokenChecker> {
  const providers = accepted.map(async (access) => {
    const fetch = await loadGuardedFetch({ http, clock, server: new URL(access.issuer) });
    return { access, fetch, keys: new ProviderKeys(access, fetch, clock) };
  });
  return new TokenChecker(await Promise.all(providers), clock);
}

async function claimsOfJwt({ access, keys }: Provider, text: string): Promise<JsonObject> {
  const token = parseJwt(text, access.algorithms);
  // Another provider's token must not make this one look for its key.
  if (token.claims["iss"] !== access.issuer) throw new TokenRefusal("its issuer is not the configured one");
  if (!isSignedBy(await keys.keyFor(token), token)) throw new TokenRefusal("its signature is wrong");
  return token.claims;
}

/** Asks the identity provider about an opaque token (RFC 7662). */
async function introspect({ access, fetch }: Provider, text: string): Promise<JsonObject> {
  const { introspection, issuer } = access;
  if (introspection === undefined || text.length > LONGEST_OPAQUE) throw new TokenRefusal("it is not a JWT");
  let document: unknown;
  try {
    const response = await fetch(introspection.url, {
      method: "POST",
      headers: { authorization: basic(introspection), "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ token: text, token_type_hint: "access_token" }),
    });
    if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
    document = await response.json();
  } catch (cause) {
    throw new ProviderUnreachable("the introspection endpoint cannot be used", { cause });
  }
  if (!isJsonObject(document) || document["active"] !== true) throw new TokenRefusal("it is not active");
  const { token_type: kind } = document;
  if (typeof kind === "string" && kind.toLowerCase() !== "bearer" && kind !== "access_token")
    throw new TokenRefusal("it is not a bearer token");
  return { iss: issuer, ...document };
}

function basic({ clientId, clientSecret }: Introspection): string {
  const encode = (text: string): string => encodeURIComponent(text).replaceAll("%20", "+");
  const pair = `${encode(clientId)}:${encode(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}
