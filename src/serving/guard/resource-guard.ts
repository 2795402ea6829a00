import { HostError } from "../../model/index.ts";
import { type Clock, delay, type ProcessUsage } from "../../platform/index.ts";
import { decideMemory, type MemorySample } from "./decide-memory.ts";

const MB = 1024 * 1024;
/** How often memory is measured. */
const EVERY_MS = 2_000;
/** Memory is measured exactly once it may be over this part of a limit. */
const NEAR = 0.5;
/** How long a new server waits for another one to stop. */
const ADMISSION_MS = 30_000;
const POLL_MS = 50;
/** How many decisions are kept for display. */
const MOST_EVENTS = 50;

/** A server process that a gateway runs. */
export interface GuardedServer {
  readonly server: string;
  readonly process: {
    readonly pid: number | undefined;
    usage?(exact: boolean): Promise<ProcessUsage | undefined>;
  };
  /** The number of running requests. */
  readonly busy: number;
  readonly isListenedTo: boolean;
  /** When it was last used (ms since 1970). */
  readonly usedAt: number;
  /** How many clients use it. */
  readonly clients: number;
  /** Who shares it. */
  readonly share: "user" | "session";
  readonly limitMb: number;
  /** Restarts it. */
  restart(why: string): void;
  /** Stops it. The next use starts it again. */
  stop(): void;
}

/** The limits for all servers together. */
export interface ResourceLimits {
  /** `undefined` means half of the machine's memory. */
  readonly totalMemoryMb: number | undefined;
  readonly serverProcesses: number;
}

/** A decision of the guard. */
export interface GuardEvent {
  readonly at: number;
  readonly server: string;
  readonly why: string;
}

/** A measured server process. */
export interface MeasuredServer extends Omit<GuardedServer, "process" | "restart" | "stop"> {
  readonly pid: number | undefined;
  /** `undefined` if the system does not report it. */
  readonly usage: ProcessUsage | undefined;
  /** The part of one processor that it used lately, from 0 to 1 per processor. `undefined` until it was measured twice. */
  readonly load: number | undefined;
}

export interface ResourceGuardOptions {
  servers(): readonly GuardedServer[];
  /** Returns `undefined` while no gateway is open. */
  limits(): ResourceLimits | undefined;
  readonly clock: Clock;
  /** The machine's memory in bytes, if it is known. */
  readonly machineBytes: number | undefined;
  onEvent?(event: GuardEvent): void;
}

/** Keeps the servers of a gateway within their limits of memory and number. */
export class ResourceGuard {
  readonly #options: ResourceGuardOptions;
  readonly #overSince = new Map<number | "total", number>();
  /** The processor times at the last measurement, by process id. */
  readonly #cpu = new Map<number, { readonly at: number; readonly cpuMs: number; readonly load?: number }>();
  readonly #events: GuardEvent[] = [];
  /** Processes that were asked to stop. */
  readonly #ending = new Set<number>();
  #starting = 0;
  #stopTimer = (): void => {};
  #isStopped = false;

  constructor(options: ResourceGuardOptions) {
    this.#options = options;
    this.#schedule();
  }

  /** The latest decisions, the newest last. */
  get events(): readonly GuardEvent[] {
    return this.#events;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
  }

  /** The limit of all servers together, in bytes. Infinite if neither a limit nor the machine's memory is known. */
  get totalBytes(): number {
    const { limits, machineBytes } = this.#options;
    const { totalMemoryMb } = limits() ?? {};
    if (totalMemoryMb !== undefined) return totalMemoryMb * MB;
    return machineBytes === undefined ? Number.POSITIVE_INFINITY : machineBytes / 2;
  }

  /** Measures all servers. `exact` counts memory that processes share in part. */
  async measure(exact: boolean): Promise<readonly MeasuredServer[]> {
    const now = this.#options.clock.now();
    const servers = this.#options.servers();
    const running = new Set(servers.map(({ process: { pid } }) => pid));
    for (const pid of this.#cpu.keys()) if (!running.has(pid)) this.#cpu.delete(pid);
    for (const pid of this.#ending) if (!running.has(pid)) this.#ending.delete(pid);
    return Promise.all(
      servers.map(async ({ process: { pid, ...own }, restart: _, stop: __, ...server }) => {
        const usage = await own.usage?.(exact);
        return { ...server, pid, usage, load: this.#loadOf(pid, usage, now) };
      }),
    );
  }

  /** Runs a start when there is room for another server. Stops the server that was not used for the longest time if necessary. */
  readonly admit = async <T>(server: string, signal: AbortSignal, start: () => Promise<T>): Promise<T> => {
    await this.#takePlace(server, signal);
    try {
      return await start();
    } finally {
      this.#starting -= 1;
    }
  };

  async #takePlace(server: string, signal: AbortSignal): Promise<void> {
    const { clock, servers, limits } = this.#options;
    const until = clock.now() + ADMISSION_MS;
    for (;;) {
      const running = servers();
      const { serverProcesses = Number.POSITIVE_INFINITY } = limits() ?? {};
      if (running.length + this.#starting < serverProcesses) {
        this.#starting += 1;
        return;
      }
      const stopping = running.filter(({ process: { pid } }) => pid !== undefined && this.#ending.has(pid));
      if (stopping.length === 0) {
        const [oldest] = running
          .filter(({ busy, isListenedTo }) => busy === 0 && !isListenedTo)
          .toSorted((one, other) => one.usedAt - other.usedAt);
        if (oldest !== undefined)
          this.#end(oldest, "stop", `"${oldest.server}" was stopped because ${serverProcesses} servers run`);
      }
      if (clock.now() >= until)
        throw new HostError(
          "CONNECT_FAILED",
          `Failed to connect to "${server}": ${serverProcesses} servers are running, and all are in use`,
          { server, hint: 'Raise "serverProcesses" in settings.json, or try again later.' },
        );
      await delay(clock, POLL_MS, signal);
      signal.throwIfAborted();
    }
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#stopTimer = this.#options.clock.after(
      EVERY_MS,
      () => void this.#check().finally(() => this.#schedule()),
      { background: true },
    );
  }

  async #check(): Promise<void> {
    const { clock } = this.#options;
    const totalBytes = this.totalBytes;
    let measured = await this.measure(false);
    const used = measured.reduce((sum, { usage }) => sum + (usage?.memoryBytes ?? 0), 0);
    const isNear = measured.some(({ usage, limitMb }) => (usage?.memoryBytes ?? 0) > NEAR * limitMb * MB);
    if (isNear || used > NEAR * totalBytes) measured = await this.measure(true);
    const samples = measured.flatMap(({ pid, usage, limitMb, busy, ...server }): MemorySample[] =>
      pid === undefined || usage === undefined || this.#ending.has(pid)
        ? []
        : [
            {
              ...server,
              id: pid,
              memoryBytes: usage.memoryBytes,
              limitBytes: limitMb * MB,
              isBusy: busy > 0,
            },
          ],
    );
    const known = new Set(samples.map(({ id }) => id));
    for (const key of this.#overSince.keys())
      if (key !== "total" && !known.has(key)) this.#overSince.delete(key);
    const actions = decideMemory(samples, totalBytes, this.#overSince, clock.now());
    const servers = new Map(this.#options.servers().map((server) => [server.process.pid, server]));
    for (const { id, kind, why } of actions) {
      const server = servers.get(id);
      if (server !== undefined) this.#end(server, kind, why);
    }
  }

  #end(server: GuardedServer, kind: "restart" | "stop", why: string): void {
    const { pid } = server.process;
    if (pid !== undefined) this.#ending.add(pid);
    const event = { at: this.#options.clock.now(), server: server.server, why };
    this.#events.push(event);
    if (this.#events.length > MOST_EVENTS) this.#events.shift();
    this.#options.onEvent?.(event);
    if (kind === "restart") server.restart(why);
    else server.stop();
  }

  #loadOf(pid: number | undefined, usage: ProcessUsage | undefined, now: number): number | undefined {
    if (pid === undefined || usage === undefined) return undefined;
    const before = this.#cpu.get(pid);
    if (before === undefined) {
      this.#cpu.set(pid, { at: now, cpuMs: usage.cpuMs });
      return undefined;
    }
    if (now - before.at < EVERY_MS / 2) return before.load;
    const load = Math.max(0, (usage.cpuMs - before.cpuMs) / (now - before.at));
    this.#cpu.set(pid, { at: now, cpuMs: usage.cpuMs, load });
    return load;
  }
}
