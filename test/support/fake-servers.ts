import {
  type Connection,
  type ConnectionState,
  createSupervisor,
  type Supervisor,
} from "../../src/connection/index.ts";
import { HostError } from "../../src/model/index.ts";
import type { Clock } from "../../src/platform/index.ts";
import { createManualClock, type ManualClock } from "../../src/testing/index.ts";

/** A start that continues until the test decides how it ends. */
export interface FakeStart {
  readonly server: string;
  readonly signal: AbortSignal;
  succeed(): FakeServerConnection;
  fail(error: unknown): void;
}

export interface FakeServerConnection extends Connection {
  readonly isClosed: boolean;
  /** Makes its requests fail and reports its end. */
  crash(): void;
  /** Only reports its end. */
  tellEnd(): void;
  /** Answers the oldest request. */
  answer(): void;
  /** Lets a request time out, so that the server is probed. */
  beProbed(): void;
  /** Ends the probe: the server answered, or is abandoned. */
  endProbe(isAnswered: boolean): void;
  /** Completes a slow close. */
  finishClose(): void;
}

export interface FakeServers {
  readonly clock: ManualClock;
  readonly supervisor: Supervisor;
  /** Starts that have not ended yet. */
  readonly starting: Set<FakeStart>;
  /** All connections so far, oldest first. */
  readonly connections: FakeServerConnection[];
  /** Every reported state. */
  readonly told: { readonly server: string; readonly state: ConnectionState; readonly at: number }[];
  /** Actions that a supervisor must never take. */
  readonly wrongs: string[];
  /** Pending timers. */
  readonly timers: ReadonlySet<unknown>;
  /** Whether the next starts ignore cancellation, or never finish closing. */
  manners: { ignoresAbort: boolean; closesSlowly: boolean };
  /** Resolves when all work is done that depends neither on time nor on the servers. */
  settle(): Promise<void>;
}

/** Servers that start, end and answer on command, and the supervisor under test. */
export function createFakeServers(
  parallelStarts: number,
  idleStopMs: (server: string) => number | undefined,
): FakeServers {
  const clock = createManualClock(1_000_000);
  const timers = new Set<() => void>();
  const watchedClock: Clock = {
    now: clock.now,
    after(ms, callback) {
      timers.add(callback);
      const stop = clock.after(ms, () => {
        timers.delete(callback);
        callback();
      });
      return () => {
        timers.delete(callback);
        stop();
      };
    },
  };
  const starting = new Set<FakeStart>();
  const connections: FakeServerConnection[] = [];
  const told: FakeServers["told"] = [];
  const wrongs: string[] = [];

  const open = (server: string, signal: AbortSignal): Promise<Connection> => {
    const isOfServer = (one: { server: string }): boolean => one.server === server;
    if (signal.aborted) wrongs.push(`"${server}" was started after it was called off`);
    if ([...starting].some(isOfServer)) wrongs.push(`"${server}" was started twice`);
    if (connections.some((one) => isOfServer(one) && !one.isClosed))
      wrongs.push(`"${server}" was started beside its old connection`);
    if (starting.size >= parallelStarts) wrongs.push(`${starting.size + 1} were starting at once`);
    const { ignoresAbort, closesSlowly } = world.manners;
    return new Promise((resolve, reject) => {
      const start: FakeStart = {
        server,
        signal,
        succeed() {
          starting.delete(start);
          const connection = createConnection(server, closesSlowly);
          connections.push(connection);
          resolve(connection);
          return connection;
        },
        fail(error) {
          starting.delete(start);
          reject(error);
        },
      };
      starting.add(start);
      if (!ignoresAbort) signal.addEventListener("abort", () => start.fail(new Error("aborted")));
    });
  };

  const supervisor = createSupervisor({
    clock: watchedClock,
    parallelStarts: () => parallelStarts,
    idleStopMs,
    isListenedTo: () => false,
    open,
    onState: (server, state) => void told.push({ server, state, at: clock.now() }),
  });
  const world: FakeServers = {
    clock,
    supervisor,
    starting,
    connections,
    told,
    wrongs,
    timers,
    manners: { ignoresAbort: false, closesSlowly: false },
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  };
  return world;
}

function createConnection(server: string, closesSlowly: boolean): FakeServerConnection {
  const requests: { answer(): void; fail(): void }[] = [];
  let tellEnd = (): void => {};
  let finishClose = (): void => {};
  let isClosed = false;
  let probing: Promise<boolean> | undefined;
  let settleProbe: (goesOn: boolean) => void = () => {};
  const ended = new Promise<{ expected: boolean; message: string }>((resolve) => {
    tellEnd = () => resolve({ expected: isClosed, message: `"${server}" is gone` });
  });
  const failRequests = (): void => {
    settleProbe(false); // a server that has ended is not probed
    for (const request of requests.splice(0)) request.fail();
  };
  return {
    server,
    facts: {
      name: server,
      version: "1",
      protocolVersion: "2025-11-25",
      era: "legacy",
      transport: "stdio",
      capabilities: [],
      instructions: undefined,
    },
    ended,
    get isClosed() {
      return isClosed;
    },
    get probing() {
      return probing;
    },
    beProbed() {
      probing ??= new Promise<boolean>((resolve) => (settleProbe = resolve)).finally(() => {
        probing = undefined;
      });
    },
    endProbe(isAnswered) {
      if (probing === undefined) return;
      if (isAnswered) settleProbe(true);
      else this.crash();
    },
    request: () =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new HostError("CONNECTION_LOST", `"${server}" is gone`));
        requests.push({ answer: () => resolve({}), fail });
      }),
    onNotification: () => () => {},
    async close() {
      failRequests();
      if (closesSlowly) await new Promise<void>((resolve) => (finishClose = resolve));
      isClosed = true; // its end is reported later, or never
    },
    crash() {
      failRequests();
      tellEnd();
    },
    tellEnd: () => tellEnd(),
    answer: () => requests.shift()?.answer(),
    finishClose: () => finishClose(),
  };
}
