import {
  type Clock,
  type Http,
  type HttpFailure,
  type HttpResponse,
  isSameOrigin,
  readBody,
} from "../../platform/index.ts";
import { Refusal } from "../refusal.ts";
import { Unreached } from "../unreached.ts";
import { type AddressClass, addressClass, literalClass } from "./address-class.ts";

const MOST_REDIRECTS = 3;
const LARGEST_BODY = 1024 * 1024;
const LONGEST_MS = 10_000;
/** Headers that anybody here looks at. A challenge beside an error would hide the error from the library. */
const KEPT_HEADERS = ["content-type", "dpop-nonce"];

export interface GuardOptions {
  readonly http: Http;
  readonly clock: Clock;
  /** The server that somebody wants to sign in to. */
  readonly server: URL;
  /** What is known of that server's address from an earlier time. */
  readonly reach?: AddressClass | undefined;
  /** Which inside addresses beyond the server's own may be used. */
  readonly inside?: InsideRule | undefined;
}

/** Rules for other addresses on this machine or in the server's private network. */
export interface InsideRule {
  /** Only these origins, besides the server's own. Without a list, every origin once it was shown. */
  readonly only?: readonly string[];
  /** A program has no address of its own. */
  readonly hasNoOwn?: boolean;
  /** Shows an origin before anything is sent to it. */
  show?(origin: string): void;
}

export interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The one way to whatever an OAuth or metadata URL names. Nobody but the person's own server says what those URLs are,
 * so they lead to the public network only, or to where that server itself is: never from the outside to the inside.
 */
export class Guard {
  readonly #options: GuardOptions;
  #reach: AddressClass | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#reach = options.reach ?? literalClass(options.server.hostname);
  }

  /** Where the server turned out to be. */
  get reach(): AddressClass | undefined {
    return this.#reach;
  }

  /** Throws when the URL must not be fetched, or shown to the person as the place to sign in. */
  check(text: string | URL, what: string): URL {
    const url = URL.canParse(String(text)) ? new URL(String(text)) : undefined;
    if (url === undefined) throw new Refusal(`${what} is no URL`);
    if (url.username !== "" || url.password !== "") throw new Refusal(`${what} has a user name in it`);
    const literal = literalClass(url.hostname);
    const isLocal = literal === "loopback" && this.#reach === "loopback";
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal))
      throw new Refusal(`${what} is not https: ${url.protocol}//${url.host}`);
    if (literal !== undefined && !this.#allows(literal))
      throw new Refusal(`${what} leads to an address that may not be reached: ${url.host}`);
    if (literal !== undefined && !this.#allowsOrigin(literal, url)) throw notNamed(what, url);
    return url;
  }

  /** Shows an inside address that a request, or the user's browser, is about to be sent to. */
  show(url: URL): void {
    this.#show(literalClass(url.hostname), url);
  }

  /** Takes the place of `fetch`: same-origin redirects of a GET, 1 MB, 10 seconds, only the headers that matter. */
  readonly fetch = async (input: string | URL, init: FetchInit = {}): Promise<Response> => {
    const { clock } = this.#options;
    const limit = new AbortController();
    const stopTimer = clock.after(LONGEST_MS, () => limit.abort());
    const { signal } = init;
    const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
    try {
      return await this.#follow(this.check(input, "the URL"), init, either);
    } catch (error) {
      if (limit.signal.aborted) throw new Unreached(`${hostOf(input)} did not answer within 10 s`);
      throw error;
    } finally {
      stopTimer();
    }
  };

  async #follow(start: URL, init: FetchInit, signal: AbortSignal): Promise<Response> {
    const method = init.method === "POST" ? "POST" : "GET";
    let url = start;
    for (let hop = 0; ; hop += 1) {
      const response = await this.#send(url, method, init, signal);
      const { status } = response;
      if (status < 300 || status >= 400) return toResponse(response, url);
      response.cancel();
      const location = response.headers.get("location");
      if (method !== "GET" || location === undefined || !URL.canParse(location, url.href))
        throw new Refusal(`${url.host} answered with a redirect (HTTP ${status})`);
      const target = this.check(new URL(location, url), "a redirect");
      if (!isSameOrigin(target, url)) throw new Refusal(`${url.host} redirects to another place`);
      if (hop >= MOST_REDIRECTS) throw new Refusal(`${url.host} redirects in circles`);
      url = target;
    }
  }

  async #send(url: URL, method: "GET" | "POST", init: FetchInit, signal: AbortSignal): Promise<HttpResponse> {
    const { http, server } = this.#options;
    const body = init.body ?? undefined;
    const isOwn = url.hostname === server.hostname;
    this.show(url);
    try {
      return await http.request({
        url,
        method,
        headers: { accept: "application/json", ...init.headers },
        ...(body !== undefined && { body: String(body) }),
        signal,
        // What lies behind a proxy is the person's word for their own server, and nobody's for another.
        allowAddress: (address) =>
          address === undefined
            ? isOwn && this.#isNamed(url)
            : this.#allowsResolved(addressClass(address), isOwn, url),
      });
    } catch (cause) {
      const { code, message } = cause as HttpFailure;
      if (code === "EADDRREFUSED") throw new Refusal(message, { cause });
      throw new Unreached(`${url.host} cannot be reached`, { cause });
    }
  }

  /** The server's own host is where the person sent us; everybody else's must not lie deeper inside than it. */
  #allowsResolved(found: AddressClass, isOwn: boolean, url: URL): boolean {
    if (found === "other") return false;
    if (isOwn && this.#reach === undefined) this.#reach = found;
    const isAllowed = this.#allows(found) && (url.protocol === "https:" || found === "loopback");
    if (!isAllowed || !this.#allowsOrigin(found, url)) return false;
    this.#show(found, url);
    return true;
  }

  #allowsOrigin(found: AddressClass, url: URL): boolean {
    return found === "public" || this.#isNamed(url);
  }

  /** Is it the server's own origin, or one that the rule for inside addresses lets pass? */
  #isNamed({ origin }: URL): boolean {
    const { server, inside } = this.#options;
    if (inside?.only === undefined || inside.only.includes(origin)) return true;
    return inside.hasNoOwn !== true && origin === server.origin;
  }

  #show(found: AddressClass | undefined, { origin }: URL): void {
    const { server, inside } = this.#options;
    const isInside = found === "loopback" || found === "private";
    if (isInside && origin !== server.origin) inside?.show?.(origin);
  }

  #allows(found: AddressClass): boolean {
    return found === "public" || (found !== "other" && found === this.#reach);
  }
}

function notNamed(what: string, { origin }: URL): Refusal {
  return new Refusal(
    `${what} is at ${origin}, which the approved entry does not name; name it in "oauth" of the entry (authServerMetadataUrl, or authorizationUrl and tokenUrl) and approve that`,
  );
}

function hostOf(input: string | URL): string {
  return new URL(String(input)).host;
}

/** Statuses whose answers have no body. */
const BARE = new Set([204, 205]);

async function toResponse(response: HttpResponse, url: URL): Promise<Response> {
  const { status } = response;
  if (status < 200 || status > 599)
    throw new Refusal(`${url.host} answered with an odd status (HTTP ${status})`);
  const headers = new Headers();
  for (const name of KEPT_HEADERS) {
    const value = response.headers.get(name);
    if (value !== undefined && /^[\t\x20-\x7e]*$/.test(value)) headers.set(name, value);
  }
  const body = await readBody(response, LARGEST_BODY).catch((cause: unknown) => {
    throw new Unreached(`${url.host} hung up`, { cause });
  });
  if (body === undefined) throw new Refusal(`the answer of ${url.host} is larger than 1 MB`);
  return new Response(BARE.has(status) ? null : Buffer.from(body), { status, headers });
}
