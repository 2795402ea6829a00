import { isJsonObject, messageOf } from "../../model/index.ts";
import { signInServer, type Workspace } from "../../operations/index.ts";
import type { Clock, Log } from "../../platform/index.ts";
import type { SignInPages } from "../../serving/index.ts";
import type { TeamStore } from "../../store/index.ts";
import { hashOf, randomId } from "./page-sessions.ts";

const LINK_MS = 600_000;
/** For this time, the same link is shown again. */
const SAME_LINK_MS = 300_000;
/** How long a call waits for a person who opened the page. */
const WAIT_MS = 300_000;
const MOST_RUNNING = 1_000;

/** A sign-in at a server that is waiting for the identity provider's response. */
interface Running {
  readonly person: string;
  readonly server: string;
  /** Forwards the address that the browser was redirected to. Resolves with the reason if the sign-in failed. */
  finish(url: string): Promise<string | undefined>;
}

/** The purpose of a link. */
export interface SignInLink {
  readonly person: string;
  readonly server: string;
}

export interface ServerSignInsContext {
  readonly store: TeamStore;
  readonly clock: Clock;
  readonly log: Log;
  /** This gateway among those of the team. */
  readonly node: string;
  publicUrl(): string;
}

/** People's sign-ins to servers. Each belongs to one person; no one else can start, see or finish it. */
export class ServerSignIns {
  readonly #store: TeamStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #node: string;
  readonly #publicUrl: () => string;
  readonly #links = new Map<string, { readonly url: string; readonly at: number }>();
  readonly #running = new Map<string, Running>();
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor({ store, clock, log, node, publicUrl }: ServerSignInsContext) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#node = node;
    this.#publicUrl = publicUrl;
    // A call may wait on another gateway than the one whose page the person used.
    store.revisions.subscribe(({ kind, key }) => {
      if (kind === "sign_in") this.#wakePerson(key);
    });
  }

  /** Returns the sign-in pages for one person's calls. */
  for(person: string): SignInPages {
    return {
      linkFor: (server) => this.#linkFor(person, server),
      signedIn: (server, signal) => this.#wait(person, server, signal),
    };
  }

  /** Returns the purpose of a link. A link can be opened several times, but only by its person. */
  async read(link: string): Promise<SignInLink | undefined> {
    const ticket = await this.#store.tickets.get("link", hashOf(link));
    const { server } = (ticket?.value ?? {}) as { readonly server?: unknown };
    return ticket === undefined || typeof server !== "string" ? undefined : { person: ticket.person, server };
  }

  /** Starts a sign-in. Returns the page of the server's authorization server. */
  async start(workspace: Workspace, { person, server }: SignInLink): Promise<string> {
    let shown = (_url: string): void => {};
    let failed = (_error: unknown): void => {};
    const started = new Promise<string>((resolve, reject) => {
      shown = resolve;
      failed = reject;
    });
    let state: string | undefined;
    const place = { kind: "sign_in", person, value: { node: this.#node } } as const;
    const signingIn = signInServer(workspace, server, {
      browser: false,
      redirectUri: `${this.#publicUrl()}/sign-in/callback`,
      onSignIn: (url) =>
        new Promise<string>((answer) => {
          state = new URL(url).searchParams.get("state") ?? undefined;
          if (state === undefined || this.#running.size >= MOST_RUNNING)
            return failed(new Error("Too many sign-ins are running."));
          this.#running.set(state, {
            person,
            server,
            finish: (redirected) => {
              answer(redirected);
              return signingIn.then(
                () => undefined,
                (error: unknown) => workspace.redactor.redact(messageOf(error)),
              );
            },
          });
          // The answer may arrive at another gateway.
          const expiresAt = this.#clock.now() + LINK_MS;
          this.#store.tickets.create({ ...place, expiresAt }, placeOf(state)).then(() => shown(url), failed);
        }),
    });
    signingIn
      .then(() => this.#signedIn(person, server), failed)
      .finally(() => {
        if (state !== undefined) this.#running.delete(state);
      });
    return started;
  }

  /** Finishes the sign-in that a response belongs to. Returns `undefined` if this person has no sign-in with this state. */
  async finish(
    person: string,
    target: string,
  ): Promise<{ readonly server: string; readonly failure?: string } | undefined> {
    const url = new URL(target, this.#publicUrl());
    const states = url.searchParams.getAll("state");
    const running = states.length === 1 ? this.#running.get(states[0] ?? "") : undefined;
    if (running === undefined || running.person !== person) return undefined;
    this.#running.delete(states[0] ?? "");
    const failure = await running.finish(url.href);
    return { server: running.server, ...(failure !== undefined && { failure }) };
  }

  /** Returns the other gateway at which this person has started the sign-in that an answer belongs to. */
  async findNode(person: string, target: string): Promise<string | undefined> {
    const state = new URL(target, this.#publicUrl()).searchParams.get("state");
    const ticket = state === null ? undefined : await this.#store.tickets.get("sign_in", placeOf(state));
    const node = isJsonObject(ticket?.value) ? ticket.value["node"] : undefined;
    return ticket?.person === person && typeof node === "string" && node !== this.#node ? node : undefined;
  }

  async #linkFor(person: string, server: string): Promise<string> {
    const key = `${person}\0${server}`;
    const known = this.#links.get(key);
    const now = this.#clock.now();
    if (known !== undefined && now - known.at < SAME_LINK_MS) return known.url;
    const link = randomId();
    await this.#store.tickets.create(
      { kind: "link", person, value: { server }, expiresAt: now + LINK_MS },
      hashOf(link),
    );
    const url = `${this.#publicUrl()}/sign-in/${link}`;
    for (const [other, { at }] of this.#links) if (now - at >= SAME_LINK_MS) this.#links.delete(other);
    this.#links.set(key, { url, at: now });
    return url;
  }

  #wait(person: string, server: string, signal: AbortSignal): Promise<boolean> {
    const key = `${person}\0${server}`;
    // The person may have finished before the client reported it.
    if (!this.#links.has(key)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, waiting);
      const end = (isSignedIn: boolean): void => {
        stopTimer();
        signal.removeEventListener("abort", cancel);
        waiting.delete(wake);
        if (waiting.size === 0) this.#waiting.delete(key);
        resolve(isSignedIn);
      };
      const wake = (): void => end(true);
      const cancel = (): void => end(false);
      const stopTimer = this.#clock.after(WAIT_MS, cancel, { background: true });
      waiting.add(wake);
      signal.addEventListener("abort", cancel, { once: true });
      if (signal.aborted) cancel();
    });
  }

  #signedIn(person: string, server: string): void {
    this.#wake(person, server);
    this.#store.revisions.raise("sign_in", person).catch((error: unknown) => {
      this.#log.log("warn", "sign.in.unannounced", { error: messageOf(error) });
    });
  }

  /** Calls that wait for another sign-in of the person find out that they still need it. */
  #wakePerson(person: string): void {
    const own = `${person}\0`;
    for (const key of [...this.#links.keys(), ...this.#waiting.keys()])
      if (key.startsWith(own)) this.#wake(person, key.slice(own.length));
  }

  #wake(person: string, server: string): void {
    this.#links.delete(`${person}\0${server}`);
    for (const wake of Array.from(this.#waiting.get(`${person}\0${server}`) ?? [])) wake();
  }
}

/** What is stored of the state of a sign-in: not that of a sign-in to the pages. */
function placeOf(state: string): Uint8Array {
  return hashOf(`server ${state}`);
}
