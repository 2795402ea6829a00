import { isHostError } from "../../model/index.ts";
import type { AuthDeps, AuthSubject } from "../auth-subject.ts";
import { parseChallenge } from "../discovery/challenge.ts";
import type { Credential } from "./credential.ts";
import { findCredential } from "./find-credential.ts";

/** Tokens are renewed this long before they expire, or a tenth of their lifetime before if that is shorter. */
const EARLY_MS = 60_000;
const MOST_ANSWERS = 3;

export interface RefusedRequest {
  readonly status: number;
  /** The `WWW-Authenticate` header of the response. */
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
  /** The `Authorization` header that was refused. */
  readonly sent: string | undefined;
  /** How many times this request was refused before. */
  readonly attempt: number;
}

/** Adds the user's sign-in to the requests to one server and renews it. Throws if the user has to sign in. */
export class CredentialAuthorizer {
  readonly #deps: AuthDeps;
  readonly #subject: AuthSubject;
  #credential: Credential | undefined;
  #loading: Promise<void> | undefined;
  #nonce: string | undefined;

  constructor(deps: AuthDeps, subject: AuthSubject) {
    this.#deps = deps;
    this.#subject = subject;
  }

  async headers(method: string, url: URL): Promise<Record<string, string>> {
    this.#loading ??= this.#load();
    await this.#loading;
    const credential = await this.#usable();
    if (credential === undefined) return {};
    const { accessToken, dpop } = credential;
    if (dpop === undefined || credential.tokenType !== "dpop")
      return { authorization: `Bearer ${accessToken}` };
    const { dpopProof } = await import("./dpop.lazy.ts");
    const now = this.#deps.ports.clock.now() / 1000;
    const proof = await dpopProof(dpop, { method, url, accessToken, nonce: this.#nonce, now });
    return { authorization: `DPoP ${accessToken}`, dpop: proof };
  }

  /** Returns whether to retry the request. Throws if the user has to sign in. */
  async refused({ status, challenge: header, nonce, sent, attempt }: RefusedRequest): Promise<boolean> {
    if (attempt >= MOST_ANSWERS) return false;
    const challenge = parseChallenge(header);
    if (challenge?.error === "use_dpop_nonce" && nonce !== undefined) {
      this.#nonce = nonce;
      return true;
    }
    const used = this.#credential;
    const isRenewedSince = used !== undefined && sent?.endsWith(` ${used.accessToken}`) !== true;
    if (isRenewedSince) return true;
    const { resolveChallenge } = await import("../resolve-challenge.lazy.ts");
    const answer = await resolveChallenge(this.#deps, this.#subject, { status, challenge, used });
    if (answer === undefined) return false;
    this.#credential = answer;
    return true;
  }

  async #load(): Promise<void> {
    this.#credential = await findCredential(this.#deps, this.#subject);
  }

  /** Returns the tokens to use, renewed if they are about to expire. If the renewal fails, valid tokens are still used. */
  async #usable(): Promise<Credential | undefined> {
    const credential = this.#credential;
    const { clock } = this.#deps.ports;
    if (credential?.expiresAt === undefined || credential.refreshToken === undefined) return credential;
    const { expiresAt, obtainedAt } = credential;
    const early = Math.min(EARLY_MS, (expiresAt - obtainedAt) / 10);
    if (clock.now() < expiresAt - early) return credential;
    try {
      const { renewOnce } = await import("../resolve-challenge.lazy.ts");
      this.#credential = await renewOnce(this.#deps, this.#subject, credential);
      return this.#credential;
    } catch (error) {
      if (clock.now() < expiresAt) return credential;
      if (isHostError(error)) throw error;
      const { toAuthError } = await import("../auth-error.lazy.ts");
      throw toAuthError(this.#subject.name, error);
    }
  }
}
