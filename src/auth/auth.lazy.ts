import { HostError } from "../model/index.ts";
import type { AuthContext, AuthDeps, AuthSubject } from "./auth-subject.ts";
import { serverKey, withoutOwner } from "./auth-subject.ts";
import { type Credential, Credentials, programId } from "./credentials/credential.ts";
import { CredentialAuthorizer } from "./credentials/credential-authorizer.ts";
import { findSignIn } from "./credentials/find-credential.ts";
import { isMadeFor, madeFor } from "./credentials/sign-in-owner.ts";
import type { SignInOptions } from "./flows/sign-in-prompt.ts";
import type { OAuthProvider } from "./provider/oauth-provider.ts";
import { ProviderAuthorizer } from "./provider/provider-authorizer.ts";

/** A sign-in as it may be shown: no token is in it. */
export interface SignInView {
  readonly id: string;
  readonly url?: string;
  /** The program it was made for, if it was made for one. */
  readonly program?: { readonly name: string; readonly file: string };
  readonly account: string;
  /** It is the one that is used where nobody names an account. */
  readonly current: boolean;
  readonly issuer: string;
  readonly clientId: string;
  readonly scope?: string;
  /** When the present token ends; it is renewed by itself where `renewable`. */
  readonly expiresAt?: string;
  readonly renewable: boolean;
  readonly state: "signed-in" | "expired" | "ended";
  /** Why a person has to sign in again. */
  readonly because?: string;
}

/** Which sign-in a server has. */
export interface SignInUse {
  readonly id: string;
  /** The address or the program that it was made for. */
  readonly madeFor: string;
  /** Why it is not used. */
  readonly unused?: string;
}

/** Everything about signing in. What the protocol takes is loaded when it is first needed. */
export class Auth {
  readonly #works: AuthDeps;

  constructor(context: AuthContext) {
    const { vault, redactor } = context;
    this.#works = {
      ...context,
      credentials: new Credentials(vault, redactor),
      renewing: new Map(),
      unwritten: new Map(),
      requesting: new Map(),
      shown: new Set(),
    };
  }

  /** Returns which sign-in a server has, and why it is not used if it is not. Renews and sends nothing. */
  async signInFor(subject: AuthSubject): Promise<SignInUse | undefined> {
    const found = await findSignIn(this.#works, subject);
    if (found === undefined) return undefined;
    const { credential, unused } = found;
    return { id: credential.id, madeFor: madeFor(credential), ...(unused !== undefined && { unused }) };
  }

  authorizer(subject: AuthSubject): CredentialAuthorizer {
    const { clientSecret, privateKey, assertion, idp } = subject.settings;
    for (const secret of [clientSecret, privateKey, assertion, idp?.idToken])
      if (secret !== undefined) this.#works.redactor.add(secret);
    return new CredentialAuthorizer(this.#works, subject);
  }

  /** For a server whose config names a provider of the program. */
  providerAuthorizer(subject: AuthSubject, provider: OAuthProvider): ProviderAuthorizer {
    return new ProviderAuthorizer(this.#works, subject, provider);
  }

  /** Signs in with such a provider, which keeps the tokens. */
  async signInWith(
    provider: OAuthProvider,
    subject: AuthSubject,
    options: SignInOptions,
  ): Promise<SignInView> {
    const { url, name } = subject;
    if (url === undefined)
      throw new HostError("AUTH_FAILED", `Server "${name}" is a program.`, { server: name });
    const { signInByProvider } = await import("./provider/provider-flow.lazy.ts");
    const about = { works: this.#works, subject: { ...subject, url }, provider };
    return this.#view(await signInByProvider(about, options), true);
  }

  /** The token that a program is started with; nothing when there is no such sign-in. */
  async tokenFor(subject: AuthSubject): Promise<string | undefined> {
    const { authorization } = await this.authorizer(subject).headers("GET", new URL("http://127.0.0.1/"));
    return authorization?.replace(/^Bearer /, "");
  }

  async signIn(subject: AuthSubject, options: SignInOptions): Promise<SignInView> {
    const { signIn } = await import("./sign-in.lazy.ts");
    return this.#view(await signIn(this.#works, subject, options), true);
  }

  /** Of one account, or of all that the server has. Answers the accounts. */
  async signOut(subject: AuthSubject, account: string | undefined): Promise<string[]> {
    const { name } = subject;
    const found = await this.#signInsOf(subject);
    const gone = found.filter((credential) => account === undefined || credential.account === account);
    if (gone.length === 0 && account !== undefined)
      throw new HostError("AUTH_REQUIRED", `You are not signed in to "${name}" as "${account}".`, {
        server: name,
      });
    const { signOut } = await import("./sign-in.lazy.ts");
    for (const credential of gone) await signOut(this.#works, credential);
    return gone.map((credential) => credential.account);
  }

  /** The sign-ins that were made for a server, and the one that the user's own file lends it. */
  async #signInsOf(subject: AuthSubject): Promise<Credential[]> {
    const { credentials } = this.#works;
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
          (await isMadeFor(credentials, credential, subject)),
      ),
    );
    return mine.filter((_, index) => isMine[index]);
  }

  /** The same for sign-ins that no config speaks of any more, by address or id. */
  async signOutOf(urlOrId: string, account: string | undefined): Promise<string[]> {
    const all = await this.#works.credentials.all();
    const left = all.filter(
      ({ credential: { id, url, account: name } }) =>
        (id === urlOrId || (url !== undefined && withoutOwner(url) === urlOrId)) &&
        (account === undefined || account === name),
    );
    const { signOut } = await import("./sign-in.lazy.ts");
    for (const { credential } of left) await signOut(this.#works, credential);
    return left.map(({ credential }) => credential.account);
  }

  /** Makes an account the one that is used. */
  async use(subject: AuthSubject, account: string): Promise<void> {
    const { credentials } = this.#works;
    const { name, url } = subject;
    const key = url && serverKey({ ...subject, url });
    const { accounts } = key === undefined ? { accounts: {} } : await credentials.accountsOf(key);
    if (key === undefined || !Object.hasOwn(accounts, account))
      throw new HostError("AUTH_REQUIRED", `You are not signed in to "${name}" as "${account}".`, {
        server: name,
      });
    await credentials.use(key, account);
  }

  /** Resolves when no token is being renewed, and all are written down that can be: an answer that nobody wrote down is a sign-in lost. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#works.renewing.values());
    if (this.#works.unwritten.size > 0)
      await (await import("./credentials/renew-credential.lazy.ts")).writeUnwritten(this.#works);
  }

  async list(): Promise<SignInView[]> {
    const all = await this.#works.credentials.all();
    return all.map(({ credential, current }) => this.#view(credential, current));
  }

  #view(credential: Credential, current: boolean): SignInView {
    const { id, url, program, account, server, client, scope, expiresAt, refreshToken, ended } = credential;
    const isOver = expiresAt !== undefined && expiresAt <= this.#works.ports.clock.now();
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
      state: ended !== undefined ? "ended" : isOver && !renewable ? "expired" : "signed-in",
      ...(ended !== undefined && { because: ended }),
    };
  }
}
