import { type InstallSubject, installTimedOut } from "../../connection/index.ts";
import type { HostError, Installation, ServerEntry } from "../../model/index.ts";
import { type Clock, elapsed } from "../../platform/index.ts";

const TICK_MS = 1_000;

type Limits = Pick<ServerEntry, "startupTimeoutMs" | "installTimeoutMs" | "installTimeoutSource">;

/** The time limit for starting a server. It pauses while a package runner installs, which has its own limit. */
export class StartLimit {
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #onInstalling: (installation: Installation | undefined) => void;
  readonly #late = new AbortController();
  #remainingMs: number;
  #since: number;
  #stopTimer: () => void;
  #stopTick = (): void => {};
  #installing: { readonly subject: InstallSubject; readonly since: number; output?: string } | undefined;
  /** Whether the start has succeeded or failed, so that the limit no longer applies. */
  isOver = false;
  /** The error to report if an installation took too long. */
  error: HostError | undefined;

  constructor(clock: Clock, limits: Limits, onInstalling: (installation: Installation | undefined) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onInstalling = onInstalling;
    this.#remainingMs = limits.startupTimeoutMs;
    this.#since = elapsed(clock);
    this.#stopTimer = clock.after(this.#remainingMs, () => this.#late.abort());
  }

  /** Fires when the limit is exceeded. */
  get late(): AbortSignal {
    return this.#late.signal;
  }

  get isInstalling(): boolean {
    return this.#installing !== undefined;
  }

  beginInstalling(subject: InstallSubject): void {
    if (this.#installing !== undefined || this.isOver || this.late.aborted) return;
    const now = elapsed(this.#clock);
    this.#remainingMs = Math.max(0, this.#remainingMs - (now - this.#since));
    this.#installing = { subject, since: now };
    this.#stopTimer();
    this.#stopTimer = this.#clock.after(this.#limits.installTimeoutMs, () => this.#endLate());
    this.#report();
  }

  /** Sets the last line that the package runner printed. */
  show(output: string): void {
    if (this.#installing === undefined) return;
    const isFirst = this.#installing.output === undefined;
    this.#installing.output = output;
    if (isFirst) this.#report();
  }

  endInstalling(): void {
    if (this.#installing === undefined) return;
    this.#installing = undefined;
    this.#stopTick();
    this.#stopTimer();
    this.#since = elapsed(this.#clock);
    this.#stopTimer = this.#clock.after(this.#remainingMs, () => this.#late.abort());
    this.#onInstalling(undefined);
  }

  stop(): void {
    this.isOver = true;
    this.#installing = undefined;
    this.#stopTick();
    this.#stopTimer();
  }

  #endLate(): void {
    const { installTimeoutMs: ms, installTimeoutSource: source } = this.#limits;
    if (this.#installing === undefined) return;
    const { subject, output } = this.#installing;
    this.error = installTimedOut(subject, { ms, source, ...(output !== undefined && { output }) });
    this.#late.abort();
  }

  /** Reports the installation now and every second. */
  #report(): void {
    if (this.#installing === undefined) return;
    const { subject, since, output } = this.#installing;
    this.#stopTick();
    this.#stopTick = this.#clock.after(TICK_MS, () => this.#report(), { background: true });
    const { runner, package: name } = subject;
    const elapsedMs = Math.round(elapsed(this.#clock) - since);
    this.#onInstalling({ runner, package: name, elapsedMs, ...(output !== undefined && { output }) });
  }
}
