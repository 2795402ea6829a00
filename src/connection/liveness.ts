/** How long a server has to answer a probe. */
export const PROBE_MS = 5_000;

export interface LivenessOptions {
  /** Sends a request that every server answers, if only with an error. Resolves with whether an answer came in time. */
  probe(): Promise<boolean>;
  /** Called once, when the server answers neither requests nor probes and no call on it is making progress. */
  onUnresponsive(): void;
}

/**
 * Decides whether a server still responds. Every message is a sign of life. A request that timed out without one starts a probe;
 * without an answer the connection is given up, but not while a call on it is making progress.
 */
export class Liveness {
  readonly #options: LivenessOptions;
  /** Calls that reported progress or asked a question, and have not ended. */
  readonly #progressing = new Set<object>();
  #probing: Promise<boolean> | undefined;
  #answerProbe = (): void => {};
  /** A probe went unanswered, and only a call that is making progress keeps the connection. */
  #isDue = false;
  #isOver = false;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  /** Resolves, once the probe that is under way has ended, with whether the connection goes on. */
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

  progressed(call: object): void {
    this.#progressing.add(call);
  }

  ended(call: object): void {
    const wasLast = this.#progressing.delete(call) && this.#progressing.size === 0;
    // The call may have ended with an answer, so the server gets another chance.
    if (wasLast && this.#isDue) this.suspect();
  }

  /** The connection has ended: nothing is probed any more. */
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
