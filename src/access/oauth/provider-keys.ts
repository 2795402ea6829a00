import { isJsonObject, messageOf } from "../../model/index.ts";
import { type Clock, elapsed } from "../../platform/index.ts";
import { type GuardedFetch, type OAuthAccess, ProviderUnreachable, TokenRefusal } from "./oauth-access.ts";
import { findKey, keysIn, type ParsedJwt, type ProviderKey } from "./verify-jwt.ts";

/** Invented key ids cause at most one request in this time. */
const PAUSE_MS = 30_000;
const PAUSE_AFTER_FAILURE_MS = 2_000;
/** How long keys count as current. Older ones are used while new ones cannot be fetched. */
const FRESH_MS = 600_000;
const KEPT_MS = 86_400_000;
const MOST_KEYS = 100;
const METADATA = ["oauth-authorization-server", "openid-configuration"];

/** The signature keys of an identity provider. */
export class ProviderKeys {
  readonly #access: OAuthAccess;
  readonly #fetch: GuardedFetch;
  readonly #clock: Clock;
  #keys: readonly ProviderKey[] = [];
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #nextTryAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(access: OAuthAccess, fetch: GuardedFetch, clock: Clock) {
    this.#access = access;
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /** Returns the key for a token. Throws a `TokenRefusal` if there is none, and `ProviderUnreachable` if no keys are known. */
  async keyFor(token: ParsedJwt): Promise<ProviderKey> {
    const now = elapsed(this.#clock);
    const known = now - this.#fetchedAt < KEPT_MS ? findKey(this.#keys, token) : undefined;
    if (known !== undefined && now - this.#fetchedAt < FRESH_MS) return known;
    if (now >= this.#nextTryAt) this.#loading ??= this.#load();
    if (known !== undefined) return known;
    await this.#loading;
    if (elapsed(this.#clock) - this.#fetchedAt >= KEPT_MS)
      throw new ProviderUnreachable("the identity provider's keys cannot be fetched");
    const found = findKey(this.#keys, token);
    if (found === undefined) throw new TokenRefusal("no key of the identity provider fits");
    return found;
  }

  async #load(): Promise<void> {
    this.#nextTryAt = elapsed(this.#clock) + PAUSE_MS;
    try {
      const keys = keysIn(await this.#json(this.#access.jwksUrl ?? (await this.#jwksUrl())));
      this.#keys = keys.slice(0, MOST_KEYS);
      this.#fetchedAt = elapsed(this.#clock);
    } catch {
      this.#nextTryAt = elapsed(this.#clock) + PAUSE_AFTER_FAILURE_MS;
    } finally {
      this.#loading = undefined;
    }
  }

  async #jwksUrl(): Promise<string> {
    const { issuer } = this.#access;
    const { origin, pathname } = new URL(issuer);
    const path = pathname.replace(/\/$/, "");
    for (const name of METADATA) {
      const isOpenId = name === "openid-configuration";
      const url = isOpenId ? `${origin}${path}/.well-known/${name}` : `${origin}/.well-known/${name}${path}`;
      const document = await this.#json(url).catch(() => undefined);
      if (!isJsonObject(document)) continue;
      // Otherwise one provider could name another one's keys as its own.
      if (document["issuer"] !== issuer || typeof document["jwks_uri"] !== "string") continue;
      return document["jwks_uri"];
    }
    throw new ProviderUnreachable(`${issuer} has no valid metadata`);
  }

  async #json(url: string): Promise<unknown> {
    const response = await this.#fetch(url);
    if (response.status !== 200) throw new ProviderUnreachable(`${url} returned HTTP ${response.status}`);
    try {
      return await response.json();
    } catch (cause) {
      throw new ProviderUnreachable(`${url} returned no JSON: ${messageOf(cause)}`, { cause });
    }
  }
}
