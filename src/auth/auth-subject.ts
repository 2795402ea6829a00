import type { Redactor } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { Vault } from "../state/index.ts";
import type { Credential, Credentials } from "./credential.ts";
import type { OauthSettings } from "./oauth-settings.ts";

/** A server as far as signing in to it goes. */
export interface AuthSubject {
  readonly name: string;
  /** None for a program. */
  readonly url: URL | undefined;
  readonly settings: OauthSettings;
  readonly account: string | undefined;
  /** The sign-in that its config names. */
  readonly credentialId: string | undefined;
}

export interface AuthContext {
  readonly ports: Ports;
  readonly vault: Vault;
  readonly redactor: Redactor;
}

/** What the parts of this room share. */
export interface AuthWorks extends AuthContext {
  readonly credentials: Credentials;
  /** Renewals under way, by sign-in: however many callers wait, there is one. */
  readonly renewing: Map<string, Promise<Credential>>;
  /** The same for tokens that a machine asks for anew; nothing is lost with those. */
  readonly requesting: Map<string, Promise<Credential>>;
  /** What was renewed and could not be written down so far, by sign-in. */
  readonly unwritten: Map<string, Credential>;
}

/** The sign-ins of a server are found by this, wherever its address stands. */
export function serverKey({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
