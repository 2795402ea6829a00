import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue, type Redactor } from "../../model/index.ts";
import type { EntryLock, Vault } from "../../state/index.ts";
import type { AddressClass } from "../guard/address-class.ts";

/** An OAuth client and its authentication. */
export interface OauthClient {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How the secret is sent, if the registration specifies it. */
  readonly method?: string;
}

/** The parts of an authorization server's metadata that are needed after the sign-in. */
export interface KnownServer {
  readonly issuer: string;
  readonly token_endpoint?: string;
  readonly revocation_endpoint?: string;
  readonly token_endpoint_auth_methods_supported?: readonly string[];
}

/** A stored sign-in. It belongs to one issuer, one client and one server, and is not used with any other. */
export interface Credential {
  readonly id: string;
  readonly account: string;
  readonly server: KnownServer;
  readonly client: OauthClient;
  /** The key of the MCP server it is for. Not set for a local program. */
  readonly url?: string;
  /** The local program it was created for. Sign-ins from earlier versions do not record it. */
  readonly program?: ProgramOwner;
  /** The `resource` parameter of the request. */
  readonly resource?: string;
  readonly reach?: AddressClass;
  readonly accessToken: string;
  readonly tokenType: string;
  readonly refreshToken?: string;
  readonly expiresAt?: number;
  readonly obtainedAt: number;
  /** The requested and the granted scopes. */
  readonly scope?: string;
  /** Increases with every new set of tokens. Of two copies, the one with the higher generation is current. */
  readonly generation: number;
  /** A renewal with these tokens was started, but its result was not saved. */
  readonly renewing?: boolean;
  /** Why the user has to sign in again. */
  readonly ended?: string;
  /** The key that the tokens are bound to. */
  readonly dpop?: JsonObject;
}

/** One entry of one config file. For a project's entry, `launch` is the launch that was approved at the sign-in. */
export interface ProgramOwner {
  readonly name: string;
  readonly file: string;
  readonly launch?: string;
}

export const DEFAULT_ACCOUNT = "default";
const CREDENTIALS = "oauth.credentials";
const SERVERS = "oauth.servers";

/** Stored per MCP server: its accounts, the current one, and the scopes it still requires. */
export interface ServerAccounts {
  readonly url: string;
  readonly accounts: Readonly<Record<string, string>>;
  readonly current?: string;
  readonly wantedScope?: string;
}

/** Returns the ID of a sign-in. `owner` identifies the entry it is limited to, if any. */
export function credentialId(
  issuer: string,
  clientId: string,
  resource: string,
  account: string,
  owner: readonly string[] = [],
): string {
  const key = [issuer, clientId, resource, account, ...owner].join("\0");
  return `oauth-${createHash("sha256").update(key).digest("hex").slice(0, 20)}`;
}

/** Returns the ID of a local program's sign-in. It includes the file, so that equal names in different files do not collide. */
export function programId(file: string, name: string): string {
  return `program-${createHash("sha256").update([file, name].join("\0")).digest("hex").slice(0, 20)}`;
}

/** The user's sign-ins, stored in the vault. */
export class Credentials {
  readonly #vault: Vault;
  readonly #redactor: Redactor;

  /** Every secret of a sign-in is added to the redactor as soon as it is read or saved. */
  constructor(vault: Vault, redactor: Redactor) {
    this.#vault = vault;
    this.#redactor = redactor;
  }

  async byId(id: string): Promise<Credential | undefined> {
    return this.#read(await this.#vault.read(CREDENTIALS, id));
  }

  #read(value: JsonValue | undefined): Credential | undefined {
    const credential = asCredential(value);
    if (credential !== undefined) this.#hide(credential);
    return credential;
  }

  #hide({ accessToken, refreshToken, client, dpop }: Credential): void {
    for (const secret of [accessToken, refreshToken, client.clientSecret, dpop?.["d"]])
      if (typeof secret === "string") this.#redactor.add(secret);
  }

  async accountsOf(url: string): Promise<ServerAccounts> {
    return asAccounts(await this.#vault.read(SERVERS, url), url);
  }

  /** Returns the server's sign-in for the account, or for the current account if none is given. */
  async find(url: string, account: string | undefined): Promise<Credential | undefined> {
    const { accounts, current } = await this.accountsOf(url);
    const id = Object.hasOwn(accounts, account ?? current ?? DEFAULT_ACCOUNT)
      ? accounts[account ?? current ?? DEFAULT_ACCOUNT]
      : undefined;
    return id === undefined ? undefined : this.byId(id);
  }

  async all(): Promise<{ credential: Credential; current: boolean }[]> {
    const found = (await this.#vault.list(CREDENTIALS)).flatMap(({ value }) => this.#read(value) ?? []);
    return Promise.all(
      found.map(async (credential) => {
        const { current } = await this.accountsOf(credential.url ?? "");
        return { credential, current: credential.account === (current ?? DEFAULT_ACCOUNT) };
      }),
    );
  }

  /** Saves tokens, but never over newer ones and only while this process holds the lock. */
  async save(credential: Credential, turn: EntryLock): Promise<void> {
    this.#hide(credential);
    const update = (value: JsonValue | undefined): JsonValue | undefined => {
      const kept = asCredential(value);
      return kept !== undefined && kept.generation > credential.generation ? undefined : toJson(credential);
    };
    await this.#vault.update(CREDENTIALS, credential.id, update, turn);
  }

  /** Saves a new sign-in and replaces the account's previous one. */
  async adopt(credential: Credential): Promise<Credential> {
    const { url, account, id } = credential;
    const saved = await this.exclusively(id, async (turn) => {
      const generation = Math.max(credential.obtainedAt, ((await this.byId(id))?.generation ?? 0) + 1);
      const next = { ...credential, generation };
      await this.save(next, turn);
      return next;
    });
    if (url !== undefined) {
      const { accounts: known } = await this.accountsOf(url);
      const replaced = Object.hasOwn(known, account) ? known[account] : undefined;
      if (replaced !== undefined && replaced !== id) await this.#take(replaced);
      await this.#updateAccounts(url, ({ accounts, current }) => ({
        url,
        accounts: { ...accounts, [account]: id },
        current: current !== undefined && Object.hasOwn(accounts, current) ? current : account,
      }));
    }
    return saved;
  }

  /** Removes a sign-in. Returns its last version, which may have been renewed since it was read. */
  async remove(credential: Credential): Promise<Credential> {
    const { id, url, account } = credential;
    const last = (await this.#take(id)) ?? credential;
    if (url === undefined) return last;
    await this.#updateAccounts(url, (known) => {
      if (known.accounts[account] !== id) return known; // the account has another sign-in now
      const { [account]: _, ...others } = known.accounts;
      const [next] = Object.keys(others);
      const left = known.current === account ? next : known.current;
      return { url, accounts: others, ...(left !== undefined && { current: left }) };
    });
    return last;
  }

  #take(id: string): Promise<Credential | undefined> {
    return this.exclusively(id, async (turn) => {
      const last = await this.byId(id);
      await this.#vault.remove(CREDENTIALS, id, turn);
      return last;
    });
  }

  async use(url: string, account: string): Promise<void> {
    await this.#updateAccounts(url, (known) => ({ ...known, current: account }));
  }

  /** Records the scopes that the next sign-in has to request. */
  async want(url: string, wantedScope: string): Promise<void> {
    await this.#updateAccounts(url, (known) => ({ ...known, wantedScope }));
  }

  /** Runs an action under the lock of a sign-in, so that renewals, replacements and removals do not overlap. */
  exclusively<T>(id: string, action: (turn: EntryLock) => Promise<T>): Promise<T> {
    return this.#vault.withEntryLock(CREDENTIALS, id, action);
  }

  async #updateAccounts(url: string, change: (known: ServerAccounts) => ServerAccounts): Promise<void> {
    await this.#vault.update(SERVERS, url, (value) => toJson(change(asAccounts(value, url))));
  }
}

function toJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

function asCredential(value: JsonValue | undefined): Credential | undefined {
  if (!isJsonObject(value) || !isJsonObject(value["server"]) || !isJsonObject(value["client"]))
    return undefined;
  return typeof value["id"] === "string" && typeof value["accessToken"] === "string"
    ? (value as unknown as Credential)
    : undefined;
}

function asAccounts(value: JsonValue | undefined, url: string): ServerAccounts {
  return isJsonObject(value) && isJsonObject(value["accounts"])
    ? (value as unknown as ServerAccounts)
    : { url, accounts: {} };
}
