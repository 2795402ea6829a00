import { isJsonObject, sharedRun } from "../../model/index.ts";
import { type AuthDeps, type AuthSubject, serverKey } from "../auth-subject.ts";
import type { RefusedRequest } from "../credentials/credential-authorizer.ts";
import { type Challenge, parseChallenge } from "../discovery/challenge.ts";
import { isScopeCovered, scopeUnion } from "../scopes.ts";
import type { OAuthProvider } from "./oauth-provider.ts";

/** Authorizes requests with the program's provider. Concurrent refused requests share one renewal. */
export class ProviderAuthorizer {
  readonly #deps: AuthDeps;
  readonly #subject: AuthSubject;
  readonly #provider: OAuthProvider;
  /** Shared by all requests that are refused at the same time. */
  readonly #renewOnce = sharedRun((challenge: Challenge | undefined) => this.#renew(challenge));

  constructor(deps: AuthDeps, subject: AuthSubject, provider: OAuthProvider) {
    this.#deps = deps;
    this.#subject = subject;
    this.#provider = provider;
  }

  async headers(): Promise<Record<string, string>> {
    const token = await this.#token();
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  async refused({ status, challenge: header, sent, attempt }: RefusedRequest): Promise<boolean> {
    const challenge = parseChallenge(header);
    if (status === 403) return this.#stepUp(challenge);
    if (status !== 401 || attempt > 0) return false;
    const isRenewedSince = (await this.headers())["authorization"] !== sent;
    if (isRenewedSince) return true;
    return this.#renewOnce(challenge);
  }

  /** Returns `false` if the provider cannot get new tokens. Throws if the user has to sign in. */
  async #renew(challenge: Challenge | undefined): Promise<boolean> {
    const [provider, { name, url }] = [this.#provider, this.#subject];
    const before = await this.#token();
    await this.#own(async () => provider.onUnauthorized?.({ response: { status: 401 } }));
    if ((await this.#token()) !== before) return true;
    if (url === undefined || provider.saveTokens === undefined) return false;
    const { toAuthError, signInRequired } = await import("../auth-error.lazy.ts");
    try {
      const { renewWithProvider } = await import("./provider-flow.lazy.ts");
      const subject = { ...this.#subject, url };
      if (await renewWithProvider({ deps: this.#deps, subject, provider }, challenge)) return true;
      if (provider.redirectToAuthorization === undefined) return false;
      throw signInRequired(name, "you are not signed in");
    } catch (error) {
      throw toAuthError(name, error);
    }
  }

  /** Records the additional scopes, so that the next sign-in requests them. */
  async #stepUp(challenge: Challenge | undefined): Promise<boolean> {
    const { name, url } = this.#subject;
    if (challenge?.error !== "insufficient_scope" || challenge.scope === undefined || url === undefined)
      return false;
    const given = await this.#own(async () => this.#provider.tokens?.());
    const granted = isJsonObject(given) && typeof given["scope"] === "string" ? given["scope"] : undefined;
    const canAsk = this.#provider.redirectToAuthorization !== undefined;
    if (!canAsk || isScopeCovered(challenge.scope, granted)) return false;
    await this.#deps.credentials.want(
      serverKey({ ...this.#subject, url }),
      scopeUnion(granted, challenge.scope) ?? "",
    );
    const { signInRequired } = await import("../auth-error.lazy.ts");
    throw signInRequired(name, `this request needs additional scopes (${challenge.scope})`);
  }

  async #token(): Promise<string | undefined> {
    const provider = this.#provider;
    const given = await this.#own(async () => (provider.token ? provider.token() : provider.tokens?.()));
    const token = isJsonObject(given) ? given["access_token"] : given;
    if (typeof token !== "string" || token === "") return undefined;
    this.#deps.redactor.add(token);
    return token;
  }

  /** An error of the provider must not look like an error of the connection. */
  async #own<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { toAuthError } = await import("../auth-error.lazy.ts");
      throw toAuthError(this.#subject.name, error);
    }
  }
}
