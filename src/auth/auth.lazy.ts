import { HostError } from "../model/index.ts";
import type { AuthContext, AuthDeps, AuthSubject } from "./auth-subject.ts";
import { serverKey, withoutOwner } from "./auth-subject.ts";
import { type Credential, Credentials, programId } from "./credentials/credential.ts";
import { CredentialAuthorizer } from "./credentials/credential-authorizer.ts";
import { findSignIn } from "./credentials/find-credential.ts";
import { belongsTo, describeOwner } from "./credentials/sign-in-owner.ts";
import type { SignInOptions } from "./flows/sign-in-prompt.ts";
import type { OAuthProvider } from "./provider/oauth-provider.ts";
import { ProviderAuthorizer } from "./provider/provider-authorizer.ts";

/** A sign-in without its tokens, safe to display. */
export interface SignInView {
  /** Identifies the sign-in. */
  readonly id: string;
  /** The URL of the server. Absent for a local program. */
  readonly url?: string;
  /** The local program it was created for, if any. */
  readonly program?: { readonly name: string; readonly file: string };
  /** The name of the account. */
  readonly account: string;
  /** Whether it is used when no account is named. */
  readonly current: boolean;
  /** The authorization server. */
  readonly issuer: string;
  /** The OAuth client that signed in. */
  readonly clientId: string;
  /** The granted scopes, separated by spaces. */
  readonly scope?: string;
  /** When the current token expires. It is renewed automatically if `renewable` is true. */
  readonly expiresAt?: string;
  /** Whether the token can be renewed without the user. */
  readonly renewable: boolean;
  /** Whether the sign-in can be used, its token has expired, or the user must sign in again. */
  readonly state: "signed-in" | "expired" | "ended";
  /** Why the user has to sign in again. */
  readonly because?: string;
}

/** The sign-in of a server. */
export interface SignInUse {
  readonly id: string;
  /** The address or the local program it was created for. */
  readonly madeFor: string;
  /** Why it is not used. */
  readonly unused?: string;
}

/** Signs in and out, and authorizes requests. The OAuth code is loaded on first use. */
export class Auth {
  readonly #deps: AuthDeps;

  constructor(context: AuthContext) {
    const { vault, redactor } = context;
    this.#deps = {
      ...context,
      credentials: new Credentials(vault, redactor),
      renewing: new Map(),
      unwritten: new Map(),
      requesting: new Map(),
      shown: new Set(),
    };
  }

  /** Returns the server's sign-in and, if it is not used, the reason. Sends no requests. */
  async signInFor(subject: AuthSubject): Promise<SignInUse | undefined> {
    const found = await findSignIn(this.#deps, subject);
    if (found === undefined) return undefined;
    const { credential, unused } = found;
    return { id: credential.id, madeFor: describeOwner(credential), ...(unused !== undefined && { unused }) };
  }

  authorizer(subject: AuthSubject): CredentialAuthorizer {
    const { clientSecret, privateKey, assertion, idp } = subject.settings;
    for (const secret of [clientSecret, privateKey, assertion, idp?.idToken])
      if (secret !== undefined) this.#deps.redactor.add(secret);
    return new CredentialAuthorizer(this.#deps, subject);
  }

  /** Returns the authorizer for a server whose options name a provider of the calling program. */
  providerAuthorizer(subject: AuthSubject, provider: OAuthProvider): ProviderAuthorizer {
    return new ProviderAuthorizer(this.#deps, subject, provider);
  }

  /** Signs in with a provider of the calling program, which stores the tokens. */
  async signInWith(
    provider: OAuthProvider,
    subject: AuthSubject,
    options: SignInOptions,
  ): Promise<SignInView> {
    const { url, name } = subject;
    if (url === undefined)
      throw new HostError("AUTH_FAILED", `Server "${name}" is a program.`, { server: name });
    const { signInByProvider } = await import("./provider/provider-flow.lazy.ts");
    const about = { deps: this.#deps, subject: { ...subject, url }, provider };
    return this.#view(await signInByProvider(about, options), true);
  }

  /** Returns the token that a local program is started with, or `undefined` without a sign-in. */
  async tokenFor(subject: AuthSubject): Promise<string | undefined> {
    const { authorization } = await this.authorizer(subject).headers("GET", new URL("http://127.0.0.1/"));
    return authorization?.replace(/^Bearer /, "");
  }

  async signIn(subject: AuthSubject, options: SignInOptions): Promise<SignInView> {
    const { signIn } = await import("./sign-in.lazy.ts");
    return this.#view(await signIn(this.#deps, subject, options), true);
  }

  /** Signs out of one account, or of all accounts of the server. Returns their names. */
  async signOut(subject: AuthSubject, account: string | undefined): Promise<string[]> {
    const { name } = subject;
    const found = await this.#signInsOf(subject);
    const gone = found.filter((credential) => account === undefined || credential.account === account);
    if (gone.length === 0 && account !== undefined)
      throw new HostError("AUTH_REQUIRED", `You are not signed in to "${name}" as "${account}".`, {
        server: name,
      });
    const { signOut } = await import("./sign-in.lazy.ts");
    for (const credential of gone) await signOut(this.#deps, credential);
    return gone.map((credential) => credential.account);
  }

  /** Returns the sign-ins that were created for a server, and the one that the user's own config file names for it. */
  async #signInsOf(subject: AuthSubject): Promise<Credential[]> {
    const { credentials } = this.#deps;
    const { name, url, credentialId: named, entry } = subject;
    const { accounts } =
      url === undefined ? { accounts: {} } : await credentials.accountsOf(serverKey({ ...subject, url }));
    const own = url === undefined ? [programId(entry.file, name), name] : Object.values<string>(accounts);
    const ids = new Set(named === undefined ? own : [named, ...own]);
    const found = await Promise.all([...ids].map((id) => credentials.byId(id)));
    const mine = found.flatMap((credential) => credential ?? []);
    const isMine = await Promise.all(
      mine.map(
        async (credential) =>
          (credential.id === named && entry.project === undefined) ||
          (await belongsTo(credentials, credential, subject)),
      ),
    );
    return mine.filter((_, index) => isMine[index]);
  }

  /** Signs out by address or ID, for sign-ins that no config file uses any more. Returns the account names. */
  async signOutOf(urlOrId: string, account: string | undefined): Promise<string[]> {
    const all = await this.#deps.credentials.all();
    const left = all.filter(
      ({ credential: { id, url, account: name } }) =>
        (id === urlOrId || (url !== undefined && withoutOwner(url) === urlOrId)) &&
        (account === undefined || account === name),
    );
    const { signOut } = await import("./sign-in.lazy.ts");
    for (const { credential } of left) await signOut(this.#deps, credential);
    return left.map(({ credential }) => credential.account);
  }

  /** Makes an account the current one. Throws if there is no sign-in for it. */
  async use(subject: AuthSubject, account: string): Promise<void> {
    const { credentials } = this.#deps;
    const { name, url } = subject;
    const key = url && serverKey({ ...subject, url });
    const { accounts } = key === undefined ? { accounts: {} } : await credentials.accountsOf(key);
    if (key === undefined || !Object.hasOwn(accounts, account))
      throw new HostError("AUTH_REQUIRED", `You are not signed in to "${name}" as "${account}".`, {
        server: name,
      });
    await credentials.use(key, account);
  }

  /** Waits for running renewals and saves renewed tokens that could not be saved before. Unsaved tokens would be lost. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#deps.renewing.values());
    if (this.#deps.unwritten.size > 0)
      await (await import("./credentials/renew-credential.lazy.ts")).writeUnwritten(this.#deps);
  }

  async list(): Promise<SignInView[]> {
    const all = await this.#deps.credentials.all();
    return all.map(({ credential, current }) => this.#view(credential, current));
  }

  #view(credential: Credential, current: boolean): SignInView {
    const { id, url, program, account, server, client, scope, expiresAt, refreshToken, ended } = credential;
    const isExpired = expiresAt !== undefined && expiresAt <= this.#deps.ports.clock.now();
    const renewable = refreshToken !== undefined;
    return {
      id,
      ...(url !== undefined && { url: withoutOwner(url) }),
      ...(program !== undefined && { program: { name: program.name, file: program.file } }),
      account,
      current,
      issuer: server.issuer,
      clientId: client.clientId,
      ...(scope !== undefined && { scope }),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
      renewable,
      state: ended !== undefined ? "ended" : isExpired && !renewable ? "expired" : "signed-in",
      ...(ended !== undefined && { because: ended }),
    };
  }
}
