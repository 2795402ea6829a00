import { isHostError } from "../../model/index.ts";
import type { AuthDeps, AuthSubject } from "../auth-subject.ts";
import { parseChallenge } from "../discovery/challenge.ts";
import type { Credential } from "./credential.ts";
import { findCredential } from "./find-credential.ts";

/** A token is renewed this long before its end, or at a tenth of its life where that is shorter. */
const EARLY_MS = 60_000;
const MOST_ANSWERS = 3;

export interface RefusedRequest {
  readonly status: number;
  /** `WWW-Authenticate`, as it was sent. */
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
  /** The `Authorization` that was refused. */
  readonly sent: string | undefined;
  /** How often this request was refused before. */
  readonly attempt: number;
}

/** Puts a person's sign-in on the requests to one server, renews it, and says when the person is needed. */
export class CredentialAuthorizer {
  readonly #works: AuthDeps;
  readonly #subject: AuthSubject;
  #credential: Credential | undefined;
  #loading: Promise<void> | undefined;
  #nonce: string | undefined;

  constructor(works: AuthDeps, subject: AuthSubject) {
    this.#works = works;
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
    const now = this.#works.ports.clock.now() / 1000;
    const proof = await dpopProof(dpop, { method, url, accessToken, nonce: this.#nonce, now });
    return { authorization: `DPoP ${accessToken}`, dpop: proof };
  }

  /** Answers whether the request is worth sending again. Throws when a person is needed. */
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
    const { answerChallenge } = await import("../answer-challenge.lazy.ts");
    const answer = await answerChallenge(this.#works, this.#subject, { status, challenge, used });
    if (answer === undefined) return false;
    this.#credential = answer;
    return true;
  }

  async #load(): Promise<void> {
    this.#credential = await findCredential(this.#works, this.#subject);
  }

  /** The tokens to use now, renewed when they are about to end. What still holds is used when that fails. */
  async #usable(): Promise<Credential | undefined> {
    const credential = this.#credential;
    const { clock } = this.#works.ports;
    if (credential?.expiresAt === undefined || credential.refreshToken === undefined) return credential;
    const { expiresAt, obtainedAt } = credential;
    const early = Math.min(EARLY_MS, (expiresAt - obtainedAt) / 10);
    if (clock.now() < expiresAt - early) return credential;
    try {
      const { renewOnce } = await import("../answer-challenge.lazy.ts");
      this.#credential = await renewOnce(this.#works, this.#subject, credential);
      return this.#credential;
    } catch (error) {
      if (clock.now() < expiresAt) return credential;
      if (isHostError(error)) throw error;
      const { toAuthError } = await import("../auth-error.lazy.ts");
      throw toAuthError(this.#subject.name, error);
    }
  }
}
