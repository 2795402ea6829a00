import { createHash, randomBytes } from "node:crypto";
import type { Directory, Principal } from "../../access/index.ts";
import { isJsonObject } from "../../model/index.ts";
import type { Clock, IncomingRequest } from "../../platform/index.ts";
import type { Person, TeamStore, Ticket } from "../../store/index.ts";

const SESSION_MS = 12 * 3_600_000;
const LOGIN_MS = 600_000;
const MOST_COOKIES = 8;

/** Returns a secret that cannot be guessed. */
export function randomId(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the hash of a secret, which is stored instead of it. */
export function hashOf(id: string): Uint8Array {
  return createHash("sha256").update(id).digest();
}

/** Who is signed in to the pages. Sessions are in the store, so that they outlive a restart. */
export class PageSessions {
  readonly #store: TeamStore;
  readonly #directory: Directory;
  readonly #clock: Clock;
  readonly #isSecure: boolean;

  constructor(
    store: TeamStore,
    directory: Directory,
    clock: Clock,
    { isSecure }: { readonly isSecure: boolean },
  ) {
    this.#store = store;
    this.#directory = directory;
    this.#clock = clock;
    this.#isSecure = isSecure;
  }

  /** Starts a session, which ends with the token that it was started with. Returns the header that sets its cookie. The id is always new. */
  async start(person: string, token?: Pick<Principal["token"], "hash" | "expiresAt">): Promise<string> {
    const id = randomId();
    const expiresAt = Math.min(this.#clock.now() + SESSION_MS, token?.expiresAt ?? Number.POSITIVE_INFINITY);
    const value = token?.hash === undefined ? {} : { token: token.hash };
    await this.#store.tickets.create({ kind: "page_session", person, value, expiresAt }, hashOf(id));
    return this.#cookie("pb", id, (expiresAt - this.#clock.now()) / 1_000);
  }

  /** Returns the person who is signed in, unless the person may no longer use the gateway. */
  async personOf(request: Pick<IncomingRequest, "headers">): Promise<Person | undefined> {
    for (const id of this.cookies(request, "pb")) {
      const ticket = await this.#store.tickets.get("page_session", hashOf(id));
      if (ticket === undefined || !(await this.#hasToken(ticket))) continue;
      const person = await this.#directory.person(ticket.person);
      if (person !== undefined && person.disabledAt === undefined) return person;
    }
    return undefined;
  }

  /** Returns whether the token that a session was started with is still valid. */
  async #hasToken({ value }: Pick<Ticket, "value">): Promise<boolean> {
    const hash = isJsonObject(value) ? value["token"] : undefined;
    if (typeof hash !== "string") return true; // the person signed in at an identity provider
    const token = await this.#directory.token(Buffer.from(hash, "hex"));
    return token !== undefined && token.revokedAt === undefined;
  }

  /** Ends the session of a request. Returns the header that removes its cookie. */
  async end(request: Pick<IncomingRequest, "headers">): Promise<string> {
    for (const id of this.cookies(request, "pb")) await this.#store.tickets.take("page_session", hashOf(id));
    return this.#cookie("pb", "", 0);
  }

  /** Returns a header that binds a sign-in to this browser, so that it cannot be finished in another one. */
  bind(id: string): string {
    return this.#cookie("pb-login", id, LOGIN_MS / 1_000);
  }

  /** Returns the values of a cookie. Other programs on the same host can add some, so there may be several. */
  cookies({ headers }: Pick<IncomingRequest, "headers">, name: string): readonly string[] {
    const prefix = `${this.#nameOf(name)}=`;
    return (headers["cookie"] ?? "")
      .split(";")
      .map((part) => part.trim())
      .filter((part) => part.startsWith(prefix))
      .map((part) => part.slice(prefix.length))
      .filter((id) => /^[\w-]{43}$/.test(id))
      .slice(0, MOST_COOKIES);
  }

  /** With the prefix, browsers accept a cookie only from exactly this host, over TLS. */
  #nameOf(name: string): string {
    return this.#isSecure ? `__Host-${name}` : name;
  }

  /** Lax, because people arrive here from links of other programs. Every change needs a POST from our own page. */
  #cookie(name: string, value: string, seconds: number): string {
    const secure = this.#isSecure ? "; Secure" : "";
    return `${this.#nameOf(name)}=${value}; Path=/; Max-Age=${Math.max(0, Math.floor(seconds))}; HttpOnly; SameSite=Lax${secure}`;
  }
}
