import { createSharedLists, type SharedLists } from "../catalog/index.ts";
import type { OpenPrincipal } from "../host.ts";
import type { Workspace } from "../operations/index.ts";
import type { Clock, HttpListener } from "../platform/index.ts";
import {
  createServing,
  type HttpEndpoints,
  type Serving,
  type ServingCluster,
  type ServingOptions,
  type ServingTeam,
  type SignInPages,
} from "../serving/index.ts";

/** A person's connections are kept for this time after the last request. */
const KEPT_MS = 600_000;

/** The workspace, connections and conversations of one person. None of them is shared with another person. */
export interface PersonServing {
  readonly workspace: Workspace;
  readonly serving: Serving;
  readonly endpoints: HttpEndpoints;
}

interface Entry {
  readonly opening: Promise<PersonServing & { readonly person: object }>;
  /** Set once it is open. */
  opened?: PersonServing;
  uses: number;
  stopTimer(): void;
}

/** The people who use the gateway now. */
export class PeopleServings {
  readonly #entries = new Map<string, Entry>();
  readonly #open: OpenPrincipal;
  readonly #clock: Clock;
  readonly #listener: HttpListener;
  readonly #team: ServingTeam;
  readonly #offer: ServingOptions;
  readonly #signInPagesOf: (person: string) => SignInPages;
  readonly #clusterOf: (person: string) => ServingCluster | undefined;

  constructor(
    open: OpenPrincipal,
    {
      clock,
      listener,
      team,
      offer,
      signInPagesOf,
      clusterOf,
    }: {
      readonly clock: Clock;
      readonly listener: HttpListener;
      readonly team: Omit<ServingTeam, "lists">;
      readonly offer: ServingOptions;
      signInPagesOf(person: string): SignInPages;
      /** The state that a person's serving shares with other gateways. */
      clusterOf(person: string): ServingCluster | undefined;
    },
  ) {
    const lists: SharedLists = createSharedLists(); // by content, so equal lists of all people are kept once
    this.#open = open;
    this.#clock = clock;
    this.#listener = listener;
    this.#team = { ...team, lists };
    this.#offer = offer;
    this.#signInPagesOf = signInPagesOf;
    this.#clusterOf = clusterOf;
  }

  /** The number of people that are served. */
  get size(): number {
    return this.#entries.size;
  }

  /** Those that are open now. */
  get opened(): readonly PersonServing[] {
    return Array.from(this.#entries.values()).flatMap(({ opened }) => opened ?? []);
  }

  has(person: string): boolean {
    return this.#entries.has(person);
  }

  /** Returns a person's serving, until `release` is called. */
  async use(person: string): Promise<PersonServing & { release(): void }> {
    let entry = this.#entries.get(person);
    if (entry === undefined) {
      entry = { opening: this.#create(person), uses: 0, stopTimer() {} };
      this.#entries.set(person, entry);
    }
    const used = entry;
    used.uses += 1;
    used.stopTimer();
    const release = (): void => {
      used.uses -= 1;
      if (used.uses === 0) this.#watchIdle(person, used);
    };
    try {
      used.opened = await used.opening;
      return { ...used.opened, release };
    } catch (error) {
      if (this.#entries.get(person) === used) this.#entries.delete(person);
      throw error;
    }
  }

  /** Notifies the clients of all people that what they can see may have changed. */
  async rightsChanged(): Promise<void> {
    for (const { serving } of await this.all()) serving.rightsChanged();
  }

  async all(): Promise<readonly PersonServing[]> {
    const opened = await Promise.allSettled(Array.from(this.#entries.values(), ({ opening }) => opening));
    return opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  }

  /** Lets a session's calls end, while another gateway continues it. */
  async detach({ id, person }: { readonly id: string; readonly person: string }): Promise<void> {
    const opened = await this.#entries.get(person)?.opening.catch(() => undefined);
    await opened?.endpoints.detach(id);
  }

  /** Ends the streams of modern clients, which then open them at another gateway. */
  async endStreams(): Promise<void> {
    for (const { serving } of await this.all()) serving.endStreams();
  }

  /** Disconnects a session, or all, that another gateway may continue. */
  async forget(session?: { readonly id: string; readonly person: string }): Promise<void> {
    const entries = Array.from(this.#entries).filter(
      ([id]) => session === undefined || id === session.person,
    );
    await Promise.all(
      entries.map(([, { opening }]) =>
        opening.then(({ endpoints }) => endpoints.forget(session?.id)).catch(() => {}),
      ),
    );
  }

  /** Ends the serving of one person, or of all. */
  async close(person?: string): Promise<void> {
    const closing = Array.from(this.#entries).filter(([id]) => person === undefined || id === person);
    await Promise.all(closing.map(([id, entry]) => this.#close(id, entry)));
  }

  async #create(person: string): Promise<PersonServing & { readonly person: object }> {
    const { workspace, openScope, person: kept } = await this.#open(person);
    const serving = createServing(
      {
        workspace,
        openScope,
        listener: this.#listener,
        team: this.#team,
        signInPages: this.#signInPagesOf(person),
        cluster: this.#clusterOf(person),
      },
      this.#offer,
    );
    return { workspace, serving, endpoints: serving.endpoints(), person: kept };
  }

  #watchIdle(person: string, entry: Entry): void {
    const check = (): void => {
      void entry.opening.then(({ endpoints }) => {
        if (entry.uses > 0) return;
        if (endpoints.isInUse) this.#watchIdle(person, entry);
        else void this.#close(person, entry);
      });
    };
    entry.stopTimer = this.#clock.after(KEPT_MS, check, { background: true });
  }

  async #close(person: string, entry: Entry): Promise<void> {
    entry.stopTimer();
    if (this.#entries.get(person) === entry) this.#entries.delete(person);
    await entry.opening.then(({ serving }) => serving.close()).catch(() => {});
  }
}
