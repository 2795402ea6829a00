/** How long to wait for the response to a probe. */
export const PROBE_MS = 5_000;

export interface LivenessOptions {
  /** Sends a request that every server answers, even if with an error. Resolves with whether it answered in time. */
  probe(): Promise<boolean>;
  /** Called once, if the server answers neither requests nor probes and no call is making progress. */
  onUnresponsive(): void;
}

/**
 * Decides whether a server still responds. If a request times out and no message arrives in the meantime, the server is probed.
 * Without a response to the probe the connection is abandoned, unless a call is making progress.
 */
export class Liveness {
  readonly #options: LivenessOptions;
  /** Running calls that reported progress or sent a request to the client. */
  readonly #progressing = new Set<object>();
  #probing: Promise<boolean> | undefined;
  #answerProbe = (): void => {};
  /** A probe got no response, and only a call that is making progress keeps the connection. */
  #isDue = false;
  #isOver = false;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  /** Set during a probe. Resolves with whether the connection is kept. */
  get probing(): Promise<boolean> | undefined {
    return this.#probing;
  }

  /** A message came from the server. */
  heard(): void {
    this.#answerProbe();
  }

  /** A request timed out, and no message came while it waited. */
  suspect(): void {
    if (this.#probing !== undefined || this.#isOver) return;
    this.#probing = this.#probe().finally(() => {
      this.#probing = undefined;
    });
  }

  /** A call is making progress. Returns a function that marks its end. */
  progressed(): () => void {
    const call = {};
    this.#progressing.add(call);
    return () => {
      const wasLast = this.#progressing.delete(call) && this.#progressing.size === 0;
      // The call may have ended with a response, so the server is probed again.
      if (wasLast && this.#isDue) this.suspect();
    };
  }

  /** Stops all probes because the connection has ended. */
  stop(): void {
    this.#isOver = true;
    this.#answerProbe();
  }

  async #probe(): Promise<boolean> {
    const sign = new Promise<true>((resolve) => {
      this.#answerProbe = () => resolve(true);
    });
    const isAlive = await Promise.race([this.#options.probe(), sign]);
    this.#isDue = !isAlive && this.#progressing.size > 0;
    if (!isAlive && !this.#isDue && !this.#isOver) {
      this.#isOver = true;
      this.#options.onUnresponsive();
    }
    return !this.#isOver;
  }
}
