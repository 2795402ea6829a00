import {
  type Clock,
  type Http,
  type HttpFailure,
  type HttpResponse,
  isSameOrigin,
  readBody,
} from "../../platform/index.ts";
import { Refusal, UnreachableError } from "../refusal.ts";
import { type AddressClass, addressClass, literalClass } from "./address-class.ts";

const MOST_REDIRECTS = 3;
const LARGEST_BODY = 1024 * 1024;
const LONGEST_MS = 10_000;
/** The response headers that are kept. With a challenge header, the library would not read the error in the body. */
const KEPT_HEADERS = ["content-type", "dpop-nonce"];

export interface GuardOptions {
  readonly http: Http;
  readonly clock: Clock;
  /** The server to sign in to. */
  readonly server: URL;
  /** The address class of that server, if it is known from an earlier sign-in. */
  readonly reach?: AddressClass | undefined;
  /** The rule for local and private addresses other than the server's own. */
  readonly inside?: InsideRule | undefined;
  /** Ends every request. */
  readonly signal?: AbortSignal | undefined;
}

/** The rule for other addresses on this machine or in the server's private network. */
export interface InsideRule {
  /** Allows only these origins and the server's own. Without a list, every origin is allowed after it was shown. */
  readonly only?: readonly string[];
  /** Set for a local program, which has no address of its own. */
  readonly hasNoOwn?: boolean;
  /** Called with an origin before the first request to it. */
  show?(origin: string): void;
}

export interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks and sends every request to an OAuth or metadata URL. Servers choose these URLs, so they may only lead to the public
 * network or to the server's own network: a public server must not reach private addresses.
 */
export class Guard {
  readonly #options: GuardOptions;
  #reach: AddressClass | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#reach = options.reach ?? literalClass(options.server.hostname);
  }

  /** The address class of the server, once it is known. */
  get reach(): AddressClass | undefined {
    return this.#reach;
  }

  /** Throws if the URL must not be fetched or shown to the user as a sign-in page. */
  check(text: string | URL, what: string): URL {
    const url = URL.canParse(String(text)) ? new URL(String(text)) : undefined;
    if (url === undefined) throw new Refusal(`${what} is not a URL`);
    if (url.username !== "" || url.password !== "")
      throw new Refusal(`${what} contains a user name or password`);
    const literal = literalClass(url.hostname);
    const isLocal = literal === "loopback" && this.#reach === "loopback";
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal))
      throw new Refusal(`${what} must use https: ${url.protocol}//${url.host}`);
    if (literal !== undefined && !this.#allows(literal))
      throw new Refusal(`${what} is at an address that is not allowed: ${url.host}`);
    if (literal !== undefined && !this.#allowsOrigin(literal, url)) throw notNamed(what, url);
    return url;
  }

  /** Reports a local or private address before a request or the user's browser is sent to it. */
  show(url: URL): void {
    this.#show(literalClass(url.hostname), url);
  }

  /** A `fetch` that follows only same-origin GET redirects, reads at most 1 MB within 10 seconds, and keeps few headers. */
  readonly fetch = async (input: string | URL, init: FetchInit = {}): Promise<Response> => {
    const { clock, signal: cancelled } = this.#options;
    const limit = new AbortController();
    const stopTimer = clock.after(LONGEST_MS, () => limit.abort());
    const signals = [limit.signal, init.signal, cancelled].filter((signal) => signal !== undefined);
    try {
      return await this.#follow(this.check(input, "the URL"), init, AbortSignal.any(signals));
    } catch (error) {
      if (limit.signal.aborted) throw new UnreachableError(`${hostOf(input)} did not respond within 10 s`);
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
        throw new Refusal(`${url.host} returned a redirect (HTTP ${status})`);
      const target = this.check(new URL(location, url), "a redirect");
      if (!isSameOrigin(target, url)) throw new Refusal(`${url.host} redirects to another origin`);
      if (hop >= MOST_REDIRECTS) throw new Refusal(`${url.host} redirects too many times`);
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
        // Behind a proxy the address is unknown. Only the user's own server is allowed then.
        allowAddress: (address) =>
          address === undefined
            ? isOwn && this.#isNamed(url)
            : this.#allowsResolved(addressClass(address), isOwn, url),
      });
    } catch (cause) {
      const { code, message } = cause as HttpFailure;
      if (code === "EADDRREFUSED") throw new Refusal(message, { cause });
      throw new UnreachableError(`${url.host} cannot be reached`, { cause });
    }
  }

  /** The first resolved address of the server's own host sets its class. Other hosts must be public or of the same class. */
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

  /** Returns whether it is the server's own origin or one that the rule allows. */
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
    `${what} is at ${origin}, which is not in the approved entry; if you trust this address, add it to "oauth" in the entry (authServerMetadataUrl, or authorizationUrl and tokenUrl) and approve the change`,
  );
}

function hostOf(input: string | URL): string {
  return new URL(String(input)).host;
}

/** Statuses of responses without a body. */
const BARE = new Set([204, 205]);

async function toResponse(response: HttpResponse, url: URL): Promise<Response> {
  const { status } = response;
  if (status < 200 || status > 599)
    throw new Refusal(`${url.host} returned an invalid status (HTTP ${status})`);
  const headers = new Headers();
  for (const name of KEPT_HEADERS) {
    const value = response.headers.get(name);
    if (value !== undefined && /^[\t\x20-\x7e]*$/.test(value)) headers.set(name, value);
  }
  const body = await readBody(response, LARGEST_BODY).catch((cause: unknown) => {
    throw new UnreachableError(`${url.host} closed the connection`, { cause });
  });
  if (body === undefined) throw new Refusal(`the response from ${url.host} is larger than 1 MB`);
  return new Response(BARE.has(status) ? null : Buffer.from(body), { status, headers });
}
