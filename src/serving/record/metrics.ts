import type { AuditEntry } from "../../state/index.ts";
import { Histogram } from "./histogram.ts";

const MINUTE_MS = 60_000;
/** How many minutes are kept. */
const MINUTES = 24 * 60;
/** Servers beyond this are counted only in the totals. */
const MOST_SERVERS = 500;
const ERRORS: ReadonlySet<string> = new Set(["tool_error", "refused", "failed", "timed_out"]);

/** The requests of one minute. */
interface Minute {
  calls: number;
  errors: number;
  spent: number;
  saved: number;
  readonly servers: Map<string, ServerMinute>;
}

interface ServerMinute {
  calls: number;
  errors: number;
  readonly durations: Histogram;
}

/** The requests of one step of a chart. */
export interface Step {
  readonly calls: number;
  readonly errors: number;
  /** Tokens that lists cost, and that were saved in them. */
  readonly spent: number;
  readonly saved: number;
  readonly servers: ReadonlyMap<string, ServerMinute>;
}

/** Counts requests per minute for a day. Its size depends on the number of servers, not of requests. */
export class Metrics {
  readonly #minutes = new Map<number, Minute>();
  readonly #servers = new Set<string>();

  add({ at, outcome, server, durationMs }: AuditEntry): void {
    const minute = this.#minuteOf(at);
    const errors = ERRORS.has(outcome) ? 1 : 0;
    minute.calls += 1;
    minute.errors += errors;
    if (server === undefined || !this.#counts(server)) return;
    const known = minute.servers.get(server) ?? { calls: 0, errors: 0, durations: new Histogram() };
    minute.servers.set(server, known);
    known.calls += 1;
    known.errors += errors;
    known.durations.add(durationMs);
  }

  /** Records what a list of tools cost the model of a client, and what a shorter list saved. */
  addTokens(at: number, spent: number, saved: number): void {
    const minute = this.#minuteOf(at);
    minute.spent += spent;
    minute.saved += saved;
  }

  /** Returns the steps from a time on, each of a number of minutes. */
  steps(from: number, stepMs: number, count: number): Step[] {
    return Array.from({ length: count }, (_, index) => this.#stepAt(from + index * stepMs, stepMs));
  }

  #stepAt(from: number, stepMs: number): Step {
    const step = { calls: 0, errors: 0, spent: 0, saved: 0, servers: new Map<string, ServerMinute>() };
    for (let at = from; at < from + stepMs; at += MINUTE_MS) {
      const minute = this.#minutes.get(minuteAt(at));
      if (minute === undefined) continue;
      step.calls += minute.calls;
      step.errors += minute.errors;
      step.spent += minute.spent;
      step.saved += minute.saved;
      for (const [server, { calls, errors, durations }] of minute.servers) {
        const known = step.servers.get(server) ?? { calls: 0, errors: 0, durations: new Histogram() };
        step.servers.set(server, known);
        known.calls += calls;
        known.errors += errors;
        known.durations.merge(durations);
      }
    }
    return step;
  }

  #minuteOf(at: number): Minute {
    const index = minuteAt(at);
    const known = this.#minutes.get(index);
    if (known !== undefined) return known;
    const minute: Minute = { calls: 0, errors: 0, spent: 0, saved: 0, servers: new Map() };
    this.#minutes.set(index, minute);
    if (this.#minutes.size > MINUTES) this.#dropOld();
    return minute;
  }

  #dropOld(): void {
    const newest = Math.max(...this.#minutes.keys());
    for (const index of this.#minutes.keys()) if (index <= newest - MINUTES) this.#minutes.delete(index);
  }

  #counts(server: string): boolean {
    if (this.#servers.size < MOST_SERVERS) this.#servers.add(server);
    return this.#servers.has(server);
  }
}

function minuteAt(at: number): number {
  return Math.floor(at / MINUTE_MS);
}
