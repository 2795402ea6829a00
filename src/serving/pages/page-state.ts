import { randomUUID } from "node:crypto";
import { type Clock, elapsed } from "../../platform/index.ts";
import type { Overview, PageSnapshot, PageTopic } from "./api/page.ts";

/** The shortest time between two snapshots. */
const PUBLISH_MS = 250;
/** Charts change with every request, but need not be drawn again as often. */
const METRICS_MS = 2_000;

const TOPICS: readonly PageTopic[] = [
  "servers",
  "tools",
  "clients",
  "connections",
  "approvals",
  "activity",
  "metrics",
];

/** The dependencies of the pages' state. */
export interface PageStateDeps {
  readonly clock: Clock;
  /** Returns the overview as it may be sent. */
  overview(): Promise<Overview>;
  /** Returns whether anyone receives snapshots. */
  isWatched(): boolean;
  publish(snapshot: PageSnapshot): void;
  onError(error: unknown): void;
}

/** Counts the changes of each topic, and publishes numbered snapshots of them. */
export class PageState {
  readonly #deps: PageStateDeps;
  readonly #process = randomUUID();
  readonly #revisions = new Map(TOPICS.map((topic) => [topic, 1]));
  #number = 0;
  /** The last snapshot, until something changes. */
  #current: Promise<PageSnapshot> | undefined;
  #isScheduled = false;
  #publishedAt = Number.NEGATIVE_INFINITY;
  #metricsAt = Number.NEGATIVE_INFINITY;
  #areMetricsLate = false;
  #stopTimers: (() => void)[] = [];
  #isClosed = false;

  constructor(deps: PageStateDeps) {
    this.#deps = deps;
  }

  revision(topic: PageTopic): number {
    return this.#revisions.get(topic) ?? 0;
  }

  /** Records that topics may have changed. */
  touch(topics: readonly PageTopic[]): void {
    for (const topic of topics) {
      if (topic === "metrics") this.#touchMetrics();
      else this.#raise(topic);
    }
  }

  /** Returns the current snapshot. */
  snapshot(): Promise<PageSnapshot> {
    this.#current ??= this.#create();
    return this.#current;
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stopTimers) stop();
  }

  #touchMetrics(): void {
    const left = this.#metricsAt + METRICS_MS - elapsed(this.#deps.clock);
    if (left <= 0) {
      this.#metricsAt = elapsed(this.#deps.clock);
      this.#raise("metrics");
    } else if (!this.#areMetricsLate) {
      this.#areMetricsLate = true;
      this.#later(left, () => {
        this.#areMetricsLate = false;
        this.#touchMetrics();
      });
    }
  }

  #raise(topic: PageTopic): void {
    this.#revisions.set(topic, this.revision(topic) + 1);
    this.#current = undefined;
    this.#schedule();
  }

  /** Publishes soon, one snapshot after the other. */
  #schedule(): void {
    if (this.#isScheduled || !this.#deps.isWatched()) return;
    this.#isScheduled = true;
    const left = this.#publishedAt + PUBLISH_MS - elapsed(this.#deps.clock);
    this.#later(Math.max(0, left), () => void this.#publish());
  }

  async #publish(): Promise<void> {
    this.#publishedAt = elapsed(this.#deps.clock);
    try {
      const snapshot = await this.snapshot();
      if (!this.#isClosed) this.#deps.publish(snapshot);
    } catch (error) {
      this.#deps.onError(error);
    }
    this.#isScheduled = false;
    if (this.#current === undefined) this.#schedule();
  }

  async #create(): Promise<PageSnapshot> {
    this.#number += 1;
    const number = this.#number;
    const revisions = Object.fromEntries(this.#revisions) as Record<PageTopic, number>;
    const overview = await this.#deps.overview().catch((error: unknown) => {
      this.#current = undefined;
      throw error;
    });
    return { number, process: this.#process, at: this.#deps.clock.now(), revisions, overview };
  }

  #later(ms: number, run: () => void): void {
    if (this.#isClosed) return;
    const stop = this.#deps.clock.after(
      ms,
      () => {
        this.#stopTimers = this.#stopTimers.filter((one) => one !== stop);
        run();
      },
      { background: true },
    );
    this.#stopTimers.push(stop);
  }
}
