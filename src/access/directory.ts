import { messageOf } from "../model/index.ts";
import type { Clock, Log } from "../platform/index.ts";
import type { AccessToken, Change, Person, PersonFacts, TeamStore } from "../store/index.ts";
import type { Principal } from "./principal.ts";

/** Node's timers fire immediately if the delay is longer. */
const LONGEST_TIMER_MS = 2_147_483_647;
/** How many tokens and people are kept in memory. */
const MOST = 20_000;
/** The delay before a change that could not be read is read again. */
const RETRY_MS = 2_000;

/** Why a token may no longer be used. */
export type EndReason = "expired" | "revoked" | "disabled";

interface Watched {
  readonly principal: Principal;
  readonly end: AbortController;
  stopTimer(): void;
}

/**
 * Keeps the tokens and people that send requests in memory. Only unknown ones are looked up in the store, so the others keep working
 * while it is unavailable. Changes in the store arrive within two seconds.
 */
export class Directory {
  readonly #store: TeamStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #tokens = new Map<string, AccessToken>();
  readonly #people = new Map<string, Person>();
  /** People's ids, by issuer and subject. */
  readonly #ids = new Map<string, string>();
  readonly #watched = new Set<Watched>();
  /** For each running read, the ids that have changed since it began. */
  readonly #reads = new Set<Set<string>>();
  #isClosed = false;
  #unsubscribe = (): void => {};

  constructor(store: TeamStore, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#unsubscribe = store.revisions.subscribe((change) => void this.#apply(change));
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const { stopTimer } of this.#watched) stopTimer();
    this.#watched.clear();
  }

  /** Returns a static token by the SHA-256 of its text. */
  async token(hash: Uint8Array): Promise<AccessToken | undefined> {
    const key = Buffer.from(hash).toString("hex");
    const known = this.#tokens.get(key);
    const found = known ?? (await this.#readCurrent(() => this.#store.tokens.find(hash)));
    if (found !== undefined) keep(this.#tokens, key, found);
    return found;
  }

  /** Returns whether a static token is in memory. */
  knows(hash: Uint8Array): boolean {
    return this.#tokens.has(Buffer.from(hash).toString("hex"));
  }

  async person(id: string): Promise<Person | undefined> {
    const known = this.#people.get(id);
    const found = known ?? (await this.#readCurrent(() => this.#store.people.get(id)));
    if (found !== undefined) keep(this.#people, id, found);
    return found;
  }

  /** Returns the person that an identity provider authenticated. Adds or updates the person if the details changed. */
  async personOf(facts: PersonFacts): Promise<Person> {
    const key = `${facts.issuer}\0${facts.subject}`;
    const id = this.#ids.get(key);
    const known = id === undefined ? undefined : this.#people.get(id);
    if (known !== undefined && isCurrent(known, facts)) return known;
    let savedId: string | undefined;
    const saved = await this.#readCurrent(async () => {
      if (savedId !== undefined) return this.#store.people.get(savedId);
      const person = await this.#store.people.save(facts);
      savedId = person.id;
      return person;
    });
    if (saved === undefined) throw new Error("The person was deleted at the same time.");
    keep(this.#ids, key, saved.id);
    keep(this.#people, saved.id, saved);
    return saved;
  }

  /** Returns why a principal may no longer send requests, if so. */
  whyEnded({ id, token }: Pick<Principal, "id" | "token">): EndReason | undefined {
    if (token.expiresAt <= this.#clock.now()) return "expired";
    if (this.#people.get(id)?.disabledAt !== undefined) return "disabled";
    const stored = token.hash === undefined ? undefined : this.#tokens.get(token.hash);
    return stored?.revokedAt === undefined ? undefined : "revoked";
  }

  /** Returns a signal that fires when the token expires or is revoked, or the person is disabled. Call `release` when it is not needed. */
  watch(principal: Principal): { readonly signal: AbortSignal; release(): void } {
    const end = new AbortController();
    const watched: Watched = { principal, end, stopTimer() {} };
    const check = (): void => {
      if (this.#endIfOver(watched)) return;
      const left = Math.min(Math.max(1, principal.token.expiresAt - this.#clock.now()), LONGEST_TIMER_MS);
      watched.stopTimer = this.#clock.after(left, check, { background: true });
    };
    this.#watched.add(watched);
    check();
    const release = (): void => {
      watched.stopTimer();
      this.#watched.delete(watched);
    };
    return { signal: end.signal, release };
  }

  /** Reads until nothing changed during the read, so that data from before a revocation is not cached after it. */
  async #readCurrent<T extends { readonly id: string }>(
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    for (;;) {
      const changed = new Set<string>();
      this.#reads.add(changed);
      try {
        const found = await read();
        if (found === undefined || !changed.has(found.id)) return found;
      } finally {
        this.#reads.delete(changed);
      }
    }
  }

  /** Rereads changed entries. Forgets those that cannot be read, so that the next request asks the store. */
  async #apply({ kind, key }: Change): Promise<void> {
    for (const changed of this.#reads) changed.add(key);
    try {
      if (kind === "people") await this.#readPerson(key);
      else if (kind === "tokens") await this.#readToken(key);
      else return;
    } catch (error) {
      this.#log.log("warn", "access.change.unread", { kind, error: messageOf(error) });
      // Open streams send no further requests, so the store must be asked for them, too.
      if (!this.#isClosed)
        this.#clock.after(RETRY_MS, () => void this.#apply({ kind, key }), { background: true });
    }
    for (const watched of Array.from(this.#watched)) this.#endIfOver(watched);
  }

  async #readPerson(id: string): Promise<void> {
    if (!this.#people.has(id) && !this.#findWatched((principal) => principal.id === id)) return;
    this.#people.delete(id);
    const person = await this.#readCurrent(() => this.#store.people.get(id));
    if (person !== undefined) keep(this.#people, id, person);
    else this.#forget(id);
  }

  async #readToken(id: string): Promise<void> {
    const [known] = Array.from(this.#tokens).find(([, token]) => token.id === id) ?? [];
    const hash = known ?? this.#findWatched(({ token }) => token.id === id)?.token.hash;
    if (hash === undefined) return;
    this.#tokens.delete(hash);
    const token = await this.#readCurrent(() => this.#store.tokens.find(Buffer.from(hash, "hex")));
    if (token !== undefined) keep(this.#tokens, hash, token);
    else this.#end((principal) => principal.token.hash === hash, "revoked");
  }

  #findWatched(isMeant: (principal: Principal) => boolean): Principal | undefined {
    return Array.from(this.#watched, ({ principal }) => principal).find(isMeant);
  }

  /** A removed person is created again at the next sign-in. */
  #forget(id: string): void {
    for (const [key, known] of this.#ids) if (known === id) this.#ids.delete(key);
    this.#end((principal) => principal.id === id, "disabled");
  }

  #end(isMeant: (principal: Principal) => boolean, why: EndReason): void {
    for (const watched of Array.from(this.#watched))
      if (isMeant(watched.principal)) this.#endNow(watched, why);
  }

  #endIfOver(watched: Watched): boolean {
    const why = this.whyEnded(watched.principal);
    if (why !== undefined) this.#endNow(watched, why);
    return why !== undefined;
  }

  #endNow(watched: Watched, why: EndReason): void {
    watched.stopTimer();
    this.#watched.delete(watched);
    watched.end.abort(why);
  }
}

function isCurrent(person: Person, facts: PersonFacts): boolean {
  return (
    person.name === facts.name &&
    person.email === facts.email &&
    person.groups.join("\n") === facts.groups.join("\n")
  );
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
}
