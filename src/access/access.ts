import { messageOf } from "../model/index.ts";
import type { Clock, Http, IncomingRequest, Log } from "../platform/index.ts";
import type { Person, Role, TeamStore } from "../store/index.ts";
import { Directory } from "./directory.ts";
import type { TokenChecker } from "./oauth/check-token.lazy.ts";
import { type OAuthAccess, type TokenClaims, TokenRefusal } from "./oauth/oauth-access.ts";
import type { Principal } from "./principal.ts";
import { challenge, resourceOf } from "./resource-metadata.ts";
import { scopesOf } from "./tokens/static-token.ts";
import { hasTokenShape, isTokenText, tokenHash } from "./tokens/token-text.ts";
import { VerdictCache } from "./verdict-cache.ts";

/** Who may use a gateway. */
export interface AccessSettings {
  /** The address that clients use, without a path. */
  readonly publicUrl: string;
  /** Whether static tokens are accepted. */
  readonly tokens: boolean;
  readonly oauth: readonly OAuthAccess[];
  /** Groups in addition to the identity provider's: people's names, by group. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** The names of people, or `group:<name>`. */
  readonly administrators: readonly string[];
  readonly auditors: readonly string[];
}

/** How a request is refused. */
export interface AccessRefusal {
  readonly status: 401 | 403 | 503;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

type PrincipalFacts = Pick<Principal, "id" | "name" | "names" | "groups">;

export type Admission = { readonly principal: Principal } | { readonly refusal: AccessRefusal };

/** The dependencies of `Access`. */
export interface AccessContext {
  readonly store: TeamStore;
  readonly http: Http;
  readonly clock: Clock;
  readonly log: Log;
}

/** Decides who sends a request. Inbound tokens are read only here, so none can be passed on to a server. */
export class Access {
  readonly directory: Directory;
  readonly #context: AccessContext;
  #verdicts: VerdictCache<TokenClaims>;
  #settings: AccessSettings;
  /** People as rules see them, while neither they nor the settings change. */
  #described = new WeakMap<Person, PrincipalFacts>();
  #checker: Promise<TokenChecker> | undefined;

  constructor(settings: AccessSettings, context: AccessContext) {
    this.#settings = settings;
    this.#context = context;
    this.#verdicts = new VerdictCache(context.clock);
    this.directory = new Directory(context.store, context.clock, context.log);
  }

  get settings(): AccessSettings {
    return this.#settings;
  }

  /** Applies changed settings to the next requests. */
  configure(settings: AccessSettings): void {
    this.#settings = settings;
    this.#checker = undefined;
    this.#described = new WeakMap();
    this.#verdicts = new VerdictCache(this.#context.clock); // running checks keep their results in the old one
  }

  /** Returns whether the token of a request is in the cache of valid tokens. */
  knows({ headers }: Pick<IncomingRequest, "headers">, path: string): boolean {
    const text = tokenIn(headers);
    if (text === undefined) return false;
    const hash = tokenHash(text);
    if (hasTokenShape(text)) return this.directory.knows(hash);
    return this.#verdicts.get(verdictKey(hash, path)) !== undefined;
  }

  /** Returns who sends a request to an endpoint, or how to refuse it. */
  async admit({ headers }: Pick<IncomingRequest, "headers">, path: string): Promise<Admission> {
    const text = tokenIn(headers);
    if (text === undefined)
      return { refusal: this.#unauthorized(path, headers["authorization"] !== undefined) };
    try {
      if (hasTokenShape(text)) return { principal: await this.#staticPrincipal(text) };
      const { principal, issuer } = await this.#oauthPrincipal(text, path);
      const missing = this.#scopesOf(issuer).filter((scope) => !principal.token.granted.includes(scope));
      return missing.length === 0 ? { principal } : { refusal: this.insufficientScope(path, missing) };
    } catch (error) {
      const { log } = this.#context;
      if (error instanceof TokenRefusal) {
        log.log("info", "access.refused", { reason: error.message });
        return { refusal: this.#unauthorized(path, true) };
      }
      log.log("warn", "access.unknown", { error: messageOf(error) });
      const message = "The token cannot be checked now. Try again later.";
      return { refusal: { status: 503, message, headers: { "retry-after": "2" } } };
    }
  }

  /** Returns the refusal of a request whose token lacks scopes. */
  insufficientScope(path: string, scopes: readonly string[]): AccessRefusal {
    const scope = [...new Set([...this.#scopesOf(), ...scopes])].join(" ");
    const headers = challenge(this.#settings.publicUrl, path, { error: "insufficient_scope", scope });
    return { status: 403, message: `The token lacks a scope: ${scopes.join(" ")}`, headers };
  }

  /** Returns what a person may do besides using servers. */
  roleOf({ role }: Pick<Person, "role">, { names, groups }: Pick<Principal, "names" | "groups">): Role {
    const { administrators, auditors } = this.#settings;
    const isIn = (list: readonly string[]): boolean =>
      list.some((entry) =>
        entry.startsWith("group:") ? groups.includes(entry.slice("group:".length)) : names.includes(entry),
      );
    if (role === "administrator" || isIn(administrators)) return "administrator";
    return role === "auditor" || isIn(auditors) ? "auditor" : "person";
  }

  /** Returns a person as rules see them: with the groups of the settings. */
  describe(person: Person): PrincipalFacts {
    const known = this.#described.get(person);
    if (known !== undefined) return known;
    const { id, subject, name = subject, groups } = person;
    const names = [name, id];
    const described = { id, name, names, groups: this.#groupsOf(names, groups) };
    this.#described.set(person, described);
    return described;
  }

  async #staticPrincipal(text: string): Promise<Principal> {
    if (!this.#settings.tokens) throw new TokenRefusal("static tokens are not accepted");
    const hash = tokenHash(text);
    // A typo needs no look into the store.
    if (!this.directory.knows(hash) && !isTokenText(text)) throw new TokenRefusal("the token has a typo");
    const token = await this.directory.token(hash);
    const person = token && (await this.directory.person(token.person));
    if (token === undefined || person === undefined) throw new TokenRefusal("the token is unknown");
    const { id, name, expiresAt } = token;
    return this.#unlessEnded({
      ...this.describe(person),
      token: { id, name, expiresAt, granted: [], hash: hex(hash) },
      scopes: scopesOf(token),
    });
  }

  async #oauthPrincipal(
    text: string,
    path: string,
  ): Promise<{ readonly principal: Principal; readonly issuer: string }> {
    const { oauth, publicUrl } = this.#settings;
    if (oauth.length === 0) throw new TokenRefusal("the token is unknown");
    const hash = tokenHash(text);
    const key = verdictKey(hash, path);
    const verdicts = this.#verdicts;
    const known = verdicts.get(key);
    const claims = known ?? (await this.#check(text, resourceOf(publicUrl, path)));
    if (known === undefined) verdicts.set(key, claims, claims.expiresAt);
    const { issuer, subject, name, email, groups, scopes: granted, expiresAt } = claims;
    const facts = { issuer, subject, name, groups, ...(email !== undefined && { email }) };
    const principal: Principal = {
      ...this.describe(await this.directory.personOf(facts)),
      token: { id: claims.id ?? hex(hash), expiresAt, granted },
      scopes: {},
    };
    return { principal: this.#unlessEnded(principal), issuer };
  }

  async #check(text: string, resource: string): Promise<TokenClaims> {
    this.#checker ??= import("./oauth/check-token.lazy.ts").then(({ createTokenChecker }) =>
      createTokenChecker(this.#settings.oauth, this.#context),
    );
    return (await this.#checker).check(text, resource);
  }

  #unlessEnded(principal: Principal): Principal {
    const why = this.directory.whyEnded(principal);
    if (why !== undefined) throw new TokenRefusal(`the token or its person is ${why}`);
    return principal;
  }

  #groupsOf(names: readonly string[], groups: readonly string[]): readonly string[] {
    const own = Object.entries(this.#settings.groups).flatMap(([group, people]) =>
      people.some((person) => names.includes(person)) ? [group] : [],
    );
    return [...new Set([...groups, ...own])];
  }

  /** Returns the scopes that every token of an issuer, or of any, must have. */
  #scopesOf(issuer?: string): readonly string[] {
    const { oauth } = this.#settings;
    const accepted = oauth.filter((access) => issuer === undefined || access.issuer === issuer);
    return [...new Set(accepted.flatMap(({ scopes }) => scopes))];
  }

  #unauthorized(path: string, hasToken: boolean): AccessRefusal {
    const scope = this.#scopesOf().join(" ");
    const headers = challenge(this.#settings.publicUrl, path, {
      ...(hasToken && { error: "invalid_token" }),
      ...(scope !== "" && { scope }),
    });
    const message = hasToken ? "The token is not valid." : "A bearer token is required.";
    return { status: 401, message, headers };
  }
}

function tokenIn({ authorization = "" }: IncomingRequest["headers"]): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1];
}

/** A token for one endpoint is not valid for another. */
function verdictKey(hash: Uint8Array, path: string): string {
  return `${hex(hash)} ${path}`;
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}
