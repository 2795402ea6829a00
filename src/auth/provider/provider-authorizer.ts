import { isJsonObject, sharedRun } from "../../model/index.ts";
import { type AuthDeps, type AuthSubject, serverKey } from "../auth-subject.ts";
import type { RefusedRequest } from "../credentials/credential-authorizer.ts";
import { type Challenge, parseChallenge } from "../discovery/challenge.ts";
import { scopeUnion, scopeWithin } from "../scopes.ts";
import type { OAuthProvider } from "./oauth-provider.ts";

/** Sends what the program's provider gives; after a refusal it is renewed, once for all who wait, or a person is needed. */
export class ProviderAuthorizer {
  readonly #works: AuthDeps;
  readonly #subject: AuthSubject;
  readonly #provider: OAuthProvider;
  /** All requests that were refused at the same time share one renewal. */
  readonly #renewOnce = sharedRun((challenge: Challenge | undefined) => this.#renew(challenge));

  constructor(works: AuthDeps, subject: AuthSubject, provider: OAuthProvider) {
    this.#works = works;
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

  /** A provider that only has tokens, or none to offer, is asked no further: the refusal stands. */
  async #renew(challenge: Challenge | undefined): Promise<boolean> {
    const [provider, { name, url }] = [this.#provider, this.#subject];
    const before = await this.#token();
    await provider.onUnauthorized?.({ response: { status: 401 } });
    if ((await this.#token()) !== before) return true;
    if (url === undefined || provider.saveTokens === undefined) return false;
    const { toAuthError, signInNeeded } = await import("../auth-error.lazy.ts");
    try {
      const { renewWithProvider } = await import("./provider-flow.lazy.ts");
      const subject = { ...this.#subject, url };
      if (await renewWithProvider({ works: this.#works, subject, provider }, challenge)) return true;
      if (provider.redirectToAuthorization === undefined) return false;
      throw signInNeeded(name, "you are not signed in");
    } catch (error) {
      throw toAuthError(name, error);
    }
  }

  /** What takes more rights is asked for at the next sign-in, all together. */
  async #stepUp(challenge: Challenge | undefined): Promise<boolean> {
    const { name, url } = this.#subject;
    if (challenge?.error !== "insufficient_scope" || challenge.scope === undefined || url === undefined)
      return false;
    const given = await this.#provider.tokens?.();
    const granted = isJsonObject(given) && typeof given["scope"] === "string" ? given["scope"] : undefined;
    const canAsk = this.#provider.redirectToAuthorization !== undefined;
    if (!canAsk || scopeWithin(challenge.scope, granted)) return false;
    await this.#works.credentials.want(
      serverKey({ ...this.#subject, url }),
      scopeUnion(granted, challenge.scope) ?? "",
    );
    const { signInNeeded } = await import("../auth-error.lazy.ts");
    throw signInNeeded(name, `this request needs additional scopes (${challenge.scope})`);
  }

  async #token(): Promise<string | undefined> {
    const given = this.#provider.token ? await this.#provider.token() : await this.#provider.tokens?.();
    const token = isJsonObject(given) ? given["access_token"] : given;
    if (typeof token !== "string" || token === "") return undefined;
    this.#works.redactor.add(token);
    return token;
  }
}
