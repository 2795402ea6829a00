import { isHostError } from "../model/index.ts";
import { type AuthSubject, type AuthWorks, serverKey } from "./auth-subject.ts";
import { parseChallenge } from "./challenge.ts";
import type { Credential } from "./credential.ts";

/** A token is renewed this long before its end, or at a tenth of its life where that is shorter. */
const EARLY_MS = 60_000;
const MOST_ANSWERS = 3;

export interface RefusedRequest {
  readonly status: number;
  /** `WWW-Authenticate`, as it was sent. */
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
  /** How often this request was refused before. */
  readonly attempt: number;
}

/** Puts a person's sign-in on the requests to one server, renews it, and says when the person is needed. */
export class CredentialAuthorizer {
  readonly #works: AuthWorks;
  readonly #subject: AuthSubject;
  #credential: Credential | undefined;
  #loading: Promise<void> | undefined;
  #nonce: string | undefined;

  constructor(works: AuthWorks, subject: AuthSubject) {
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
    const { dpopProof } = await import("./dpop.ts");
    const now = this.#works.ports.clock.now() / 1000;
    const proof = await dpopProof(dpop, { method, url, accessToken, nonce: this.#nonce, now });
    return { authorization: `DPoP ${accessToken}`, dpop: proof };
  }

  /** Answers whether the request is worth sending again. Throws when a person is needed. */
  async refused({ status, challenge: header, nonce, attempt }: RefusedRequest): Promise<boolean> {
    if (attempt >= MOST_ANSWERS) return false;
    const challenge = parseChallenge(header);
    if (challenge?.error === "use_dpop_nonce" && nonce !== undefined) {
      this.#nonce = nonce;
      return true;
    }
    const { answerChallenge } = await import("./answer-challenge.ts");
    const used = this.#credential;
    const answer = await answerChallenge(this.#works, this.#subject, { status, challenge, used });
    if (answer === undefined) return false;
    this.#credential = answer;
    return true;
  }

  async #load(): Promise<void> {
    const { credentials } = this.#works;
    const { url, account, credentialId, settings } = this.#subject;
    const found =
      credentialId === undefined
        ? url && (await credentials.find(serverKey(url), account))
        : await credentials.byId(credentialId);
    // Another client in the config than the one that signed in: that sign-in is not this server's any more.
    const isOther = settings.clientId !== undefined && found?.client.clientId !== settings.clientId;
    // And a token goes to the server it was made for, whatever a config says.
    const isElsewhere =
      found?.url !== undefined && url !== undefined && new URL(found.url).origin !== url.origin;
    this.#credential = isOther || isElsewhere ? undefined : found;
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
      const { refreshOnce } = await import("./answer-challenge.ts");
      this.#credential = await refreshOnce(this.#works, this.#subject.name, credential);
      return this.#credential;
    } catch (error) {
      if (clock.now() < expiresAt) return credential;
      if (isHostError(error)) throw error;
      const { toAuthError } = await import("./auth-error.ts");
      throw toAuthError(this.#subject.name, error);
    }
  }
}
