import { createHash } from "node:crypto";
import type { Redactor, RunningByKey } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { Vault } from "../state/index.ts";
import type { Credential, Credentials } from "./credentials/credential.ts";
import type { OauthSettings } from "./oauth-settings.ts";

/** Where a server's entry stands. A sign-in for a program belongs to one entry. */
export interface EntryOwner {
  readonly file: string;
  /** Set for an entry in a repository's file, which is trusted with nothing that the user did not approve. */
  readonly project?: ProjectEntry;
}

export interface ProjectEntry {
  /** The hash of the approved launch; `undefined` while it is not approved. */
  readonly launch: string | undefined;
  /** When it was approved, in milliseconds. */
  readonly approvedAt: number | undefined;
  /** Origins that the approved launch names for signing in. */
  readonly origins: readonly string[];
}

/** A server as far as signing in to it goes. */
export interface AuthSubject {
  readonly name: string;
  /** None for a program. */
  readonly url: URL | undefined;
  readonly settings: OauthSettings;
  readonly account: string | undefined;
  /** The sign-in that its config names. */
  readonly credentialId: string | undefined;
  readonly entry: EntryOwner;
}

export interface AuthContext {
  readonly ports: Ports;
  readonly vault: Vault;
  readonly redactor: Redactor;
  /** Called before the first request to another address on this machine or in a private network. */
  readonly onInsideAddress?: (server: string, origin: string) => void;
}

/** What the parts of this room share. */
export interface AuthDeps extends AuthContext {
  readonly credentials: Credentials;
  /** Running renewals, by sign-in. */
  readonly renewing: RunningByKey<Credential>;
  /** Running token requests of machine clients. They can be repeated without loss. */
  readonly requesting: RunningByKey<Credential>;
  /** What was renewed and could not be written down so far, by sign-in. */
  readonly unwritten: Map<string, Credential>;
  /** Inside addresses that were shown, by server and origin. */
  readonly shown: Set<string>;
}

/**
 * The sign-ins of a server are found by this, wherever its address stands. A repository's entry that brings its own client or
 * authorization server has sign-ins of its own: it must neither replace nor use the user's.
 */
export function serverKey({ url, name, settings, entry }: Signing): string {
  const key = addressOf(url);
  if (entry.project === undefined || !isOwnClient(settings)) return key;
  const owner = createHash("sha256").update([entry.file, name].join("\0")).digest("hex");
  return `${key}#entry-${owner.slice(0, 32)}`;
}

type Signing = Pick<AuthSubject, "name" | "settings" | "entry"> & { readonly url: URL };

function isOwnClient({ grant, scope: _, callbackPort: _port, dpop: _dpop, ...own }: OauthSettings): boolean {
  return grant !== "authorization_code" || Object.keys(own).length > 0;
}

/** The address that a sign-in is for, without the entry that it belongs to. */
export function withoutOwner(key: string): string {
  return key.replace(/#.*$/s, "");
}

function addressOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
