import { createHash, randomBytes } from "node:crypto";
import { type Clock, elapsed } from "../../platform/index.ts";
import { PageFailure } from "./page-failure.ts";
import type { PagePerson } from "./page-rights.ts";

const TICKET_MS = 60_000;
const SESSION_MS = 12 * 60 * 60 * 1_000;
/** Beyond these, the oldest ones end. */
const MOST_TICKETS = 16;
const MOST_SESSIONS = 64;
/** The number of wrong tickets within a minute after which invalid tickets are no longer looked at. A valid ticket is always accepted. */
const MOST_WRONG = 10;
const WRONG_MS = 60_000;

/** A person's time at the pages, from a ticket until it expires or the person signs out. */
export interface OpenPageSession {
  readonly person: PagePerson;
  /** When it ends (ms since 1970). */
  readonly expiresAt: number;
  /** Calls a function when it ends. Returns a function that stops that. */
  onEnd(run: () => void): () => void;
}

interface KeptSession extends OpenPageSession {
  readonly until: number;
  end(): void;
}

/** Page sessions and the one-time tickets that start them. Kept in memory only, as hashes of random ids. */
export class PageSessions {
  readonly #clock: Clock;
  readonly #tickets = new Map<string, { readonly person: PagePerson; readonly until: number }>();
  readonly #sessions = new Map<string, KeptSession>();
  #wrong: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns a ticket that starts one session within a minute. */
  createTicket(person: PagePerson): string {
    const ticket = randomId();
    this.#tickets.set(hashOf(ticket), { person, until: elapsed(this.#clock) + TICKET_MS });
    for (const oldest of this.#tickets.keys())
      if (this.#tickets.size > MOST_TICKETS) this.#tickets.delete(oldest);
    return ticket;
  }

  /** Starts a session. Its id is always new. Throws if the ticket is unknown, expired or used. */
  redeem(ticket: string): { readonly id: string; readonly session: OpenPageSession } {
    const now = elapsed(this.#clock);
    const hash = hashOf(ticket);
    const known = this.#tickets.get(hash);
    this.#tickets.delete(hash);
    if (known === undefined || now >= known.until) throw this.#refuseTicket(now);
    const id = randomId();
    const session = this.#open(hashOf(id), known.person);
    return { id, session };
  }

  /** Returns the session with this id, unless it has ended. */
  find(id: string): OpenPageSession | undefined {
    const session = this.#sessions.get(hashOf(id));
    if (session === undefined || elapsed(this.#clock) < session.until) return session;
    session.end(); // a sleeping machine delays the timer
    return undefined;
  }

  end(id: string): void {
    this.#sessions.get(hashOf(id))?.end();
  }

  close(): void {
    this.#tickets.clear();
    for (const session of this.#sessions.values()) session.end();
  }

  #open(hash: string, person: PagePerson): OpenPageSession {
    const endings = new Set<() => void>();
    const end = (): void => {
      stopTimer();
      this.#sessions.delete(hash);
      for (const run of endings) run();
    };
    const stopTimer = this.#clock.after(SESSION_MS, end, { background: true });
    const session: KeptSession = {
      person,
      expiresAt: this.#clock.now() + SESSION_MS,
      until: elapsed(this.#clock) + SESSION_MS,
      onEnd(run) {
        endings.add(run);
        return () => void endings.delete(run);
      },
      end,
    };
    this.#sessions.set(hash, session);
    for (const oldest of this.#sessions.values()) if (this.#sessions.size > MOST_SESSIONS) oldest.end();
    return session;
  }

  #refuseTicket(now: number): PageFailure {
    this.#wrong = [...this.#wrong.filter((at) => now - at < WRONG_MS), now].slice(-MOST_WRONG - 1);
    if (this.#wrong.length > MOST_WRONG)
      return new PageFailure(429, "PAGE_BUSY", "Too many invalid tickets. Try again in a minute.");
    const hint = "To open the dashboard: plugboard dashboard";
    return new PageFailure(401, "PAGE_TICKET_INVALID", "This address is no longer valid.", hint);
  }
}

/** 256 random bits, which cannot be guessed. */
export function randomId(): string {
  return randomBytes(32).toString("base64url");
}

/** Looking up a hash does not reveal by its duration how much of an id is right. */
function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
