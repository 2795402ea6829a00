import { isJsonObject, type Redactor } from "../model/index.ts";
import type { RefusedRequest } from "./authorizer.ts";

/** A program's own way to sign in: the parts of the official SDK's `OAuthClientProvider`, or its plain `AuthProvider`, that are used here. */
export interface OAuthProvider {
  tokens?(): unknown;
  token?(): unknown;
  /** Told that the token was refused; resolves when another is there. */
  onUnauthorized?(context: { readonly response: { readonly status: number } }): unknown;
}

/** Sends what the program's provider gives; after a refusal it is asked once more. */
export class ProviderAuthorizer {
  readonly #provider: OAuthProvider;
  readonly #redactor: Redactor;
  #sent: string | undefined;

  constructor(provider: OAuthProvider, redactor: Redactor) {
    this.#provider = provider;
    this.#redactor = redactor;
  }

  async headers(): Promise<Record<string, string>> {
    const token = await this.#token();
    this.#sent = token;
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  async refused({ status, attempt }: RefusedRequest): Promise<boolean> {
    if (status !== 401 || attempt > 0) return false;
    await this.#provider.onUnauthorized?.({ response: { status } });
    return (await this.#token()) !== this.#sent;
  }

  async #token(): Promise<string | undefined> {
    const given = this.#provider.token ? await this.#provider.token() : await this.#provider.tokens?.();
    const token = isJsonObject(given) ? given["access_token"] : given;
    if (typeof token !== "string" || token === "") return undefined;
    this.#redactor.add(token);
    return token;
  }
}
