import type { AuditEntry } from "../../state/index.ts";
import { Histogram } from "./histogram.ts";

const MINUTE_MS = 60_000;
/** Servers beyond this are counted only in the totals. */
const MOST_SERVERS = 200;
const ERRORS: ReadonlySet<string> = new Set(["tool_error", "refused", "failed", "timed_out"]);

/** The requests of one step of a chart. */
export interface Step {
  readonly calls: number;
  readonly errors: number;
  /** Tokens that lists cost, and that were saved in them. */
  readonly spent: number;
  readonly saved: number;
  readonly servers: ReadonlyMap<string, ServerStep>;
}

/** The requests to one server in one step. */
export interface ServerStep {
  readonly calls: number;
  readonly errors: number;
  readonly durations: Histogram;
}

const NO_REQUESTS: Step = { calls: 0, errors: 0, spent: 0, saved: 0, servers: new Map() };

type Changeable<T> = { -readonly [Key in keyof T]: T[Key] };

interface KeptStep extends Changeable<Omit<Step, "servers">> {
  readonly servers: Map<string, Changeable<ServerStep>>;
}

/** The last steps of one length. */
export class MetricSeries {
  readonly stepMs: number;
  readonly count: number;
  readonly #steps = new Map<number, KeptStep>();
  readonly #servers: Set<string>;

  constructor(stepMs: number, count: number, servers: Set<string>) {
    this.stepMs = stepMs;
    this.count = count;
    this.#servers = servers;
  }

  add({ at, outcome, server, durationMs }: AuditEntry): void {
    const step = this.#stepOf(at);
    const errors = ERRORS.has(outcome) ? 1 : 0;
    step.calls += 1;
    step.errors += errors;
    if (server === undefined || !this.#isCounted(server)) return;
    const known = step.servers.get(server) ?? { calls: 0, errors: 0, durations: new Histogram() };
    step.servers.set(server, known);
    known.calls += 1;
    known.errors += errors;
    known.durations.add(durationMs);
  }

  addTokens(at: number, spent: number, saved: number): void {
    const step = this.#stepOf(at);
    step.spent += spent;
    step.saved += saved;
  }

  /** Returns when the first of the last steps starts, if the last one contains this time. */
  from(now: number): number {
    return (this.#indexOf(now) - this.count + 1) * this.stepMs;
  }

  /** Returns the last steps, oldest first. The last one contains this time. */
  steps(now: number): Step[] {
    const last = this.#indexOf(now);
    return Array.from(
      { length: this.count },
      (_, index) => this.#steps.get(last - this.count + 1 + index) ?? NO_REQUESTS,
    );
  }

  #indexOf(at: number): number {
    return Math.floor(at / this.stepMs);
  }

  #stepOf(at: number): KeptStep {
    const index = this.#indexOf(at);
    const known = this.#steps.get(index);
    if (known !== undefined) return known;
    const step: KeptStep = { calls: 0, errors: 0, spent: 0, saved: 0, servers: new Map() };
    this.#steps.set(index, step);
    const newest = Math.max(...this.#steps.keys());
    for (const kept of this.#steps.keys()) if (kept <= newest - this.count) this.#steps.delete(kept);
    return step;
  }

  #isCounted(server: string): boolean {
    if (this.#servers.size < MOST_SERVERS) this.#servers.add(server);
    return this.#servers.has(server);
  }
}

/** Counts requests. Its size depends on the number of servers, not of requests. */
export class Metrics {
  readonly #servers = new Set<string>();
  /** The last hour, by minute. */
  readonly hour: MetricSeries = new MetricSeries(MINUTE_MS, 60, this.#servers);
  /** The last day, by 15 minutes. */
  readonly day: MetricSeries = new MetricSeries(15 * MINUTE_MS, 96, this.#servers);

  add(entry: AuditEntry): void {
    this.hour.add(entry);
    this.day.add(entry);
  }

  /** Records what a list of tools cost the model of a client, and what a shorter list saved. */
  addTokens(at: number, spent: number, saved: number): void {
    this.hour.addTokens(at, spent, saved);
    this.day.addTokens(at, spent, saved);
  }
}
