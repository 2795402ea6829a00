import { createHash } from "node:crypto";
import type { Redactor, RunningByKey } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { Vault } from "../state/index.ts";
import type { Credential, Credentials } from "./credentials/credential.ts";
import type { OauthSettings } from "./oauth-settings.ts";

/** The config file that contains a server's entry. A sign-in for a local program belongs to one entry. */
export interface EntryOwner {
  readonly file: string;
  /** Set for an entry in a project's config file. Such an entry may only use what the user approved. */
  readonly project?: ProjectEntry;
}

export interface ProjectEntry {
  /** The hash of the approved launch; `undefined` while it is not approved. */
  readonly launch: string | undefined;
  /** When it was approved, in milliseconds. */
  readonly approvedAt: number | undefined;
  /** Sign-in origins that the approved launch names. */
  readonly origins: readonly string[];
}

/** A server, with everything that signing in to it depends on. */
export interface AuthSubject {
  readonly name: string;
  /** `undefined` for a local program. */
  readonly url: URL | undefined;
  readonly settings: OauthSettings;
  readonly account: string | undefined;
  /** The ID of the sign-in that its entry names. */
  readonly credentialId: string | undefined;
  readonly entry: EntryOwner;
}

export interface AuthContext {
  readonly ports: Ports;
  readonly vault: Vault;
  /** Where registered OAuth clients are stored. Default: `vault`. */
  readonly clients?: Vault;
  readonly redactor: Redactor;
  /** Called before the first request to another address on this machine or in a private network. */
  readonly onInsideAddress?: (server: string, origin: string) => void;
}

/** State shared by the auth module. */
export interface AuthDeps extends AuthContext {
  readonly credentials: Credentials;
  /** Running renewals, by sign-in ID. */
  readonly renewing: RunningByKey<Credential>;
  /** Running token requests of machine clients. Repeating them is safe. */
  readonly requesting: RunningByKey<Credential>;
  /** Renewed sign-ins that could not be saved yet, by ID. */
  readonly unwritten: Map<string, Credential>;
  /** Private or local addresses that were already reported, by server and origin. */
  readonly shown: Set<string>;
}

/**
 * Returns the key that a server's sign-ins are stored under. A project's entry with its own client or authorization server
 * gets a separate key, so that it can neither replace nor use the user's sign-ins.
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

/** Returns the address part of a server key, without the entry it belongs to. */
export function withoutOwner(key: string): string {
  return key.replace(/#.*$/s, "");
}

function addressOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
