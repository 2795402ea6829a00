import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeServers, type FakeServers, type FakeStart } from "../../test/support/fake-servers.ts";
import { HostError, type HostErrorCode, type ServerStateKind } from "../model/index.ts";
import type { ConnectionState } from "./connection-state.ts";
import { RESTARTS, restartWaitMs } from "./lifecycle.ts";

/** More servers than may start at a time. One of them is stopped when it is idle. */
const NAMES = ["a", "b", "idler"] as const;
const PARALLEL_STARTS = 2;
const IDLE_STOP_MS = 20_000;
const idleStopMs = (server: string): number | undefined => (server === "idler" ? IDLE_STOP_MS : undefined);

/** The expected state of a server. `waiting` and `retrying` are both `reconnecting`. */
interface ServerModel {
  phase: "idle" | "connecting" | "connected" | "waiting" | "retrying" | "failed" | "needs_auth";
  restarts: number[];
  dueAt: number;
  busy: number;
  usedAt: number;
  /** Its connection is probed. */
  isProbed: boolean;
  /** The number of callers that wait for the end of the probe. */
  held: number;
}

interface Model {
  now: number;
  readonly servers: Record<string, ServerModel>;
}

interface Real extends FakeServers {
  /** One entry per caller: the outcome, once it is known. */
  readonly callers: { outcome?: string }[];
  /** When the user closed a server, as an index of `told`. This resets its restart limit. */
  readonly pardons: Map<number, string>;
}

type Command = fc.AsyncCommand<Model, Real>;

const serverOf = (model: Model, name: string): ServerModel => {
  const server = model.servers[name];
  if (server === undefined) throw new Error(`no server ${name}`);
  return server;
};

const recent = ({ now }: Model, { restarts }: ServerModel): number[] =>
  restarts.filter((at) => at > now - RESTARTS.withinMs);

/** A caller uses the server. */
function use(model: Model, server: ServerModel): void {
  if (server.phase === "waiting") {
    server.phase = "retrying";
    server.restarts = [...recent(model, server), model.now];
  } else if (["idle", "failed", "needs_auth"].includes(server.phase)) server.phase = "connecting";
  if (server.phase !== "connected") server.busy = 0;
  else if (server.isProbed) server.held += 1;
  server.usedAt = model.now;
}

/** Ends a probe. Waiting callers continue with this connection or the next one. */
function endDoubt(model: Model, server: ServerModel): void {
  const { held } = server;
  server.isProbed = false;
  server.held = 0;
  if (held > 0 && server.phase !== "connected") use(model, server); // they go to the next connection
}

/** The connection was lost or could not be restored. */
function lose(model: Model, name: string): void {
  const server = serverOf(model, name);
  const count = recent(model, server).length;
  server.phase = count < RESTARTS.most ? "waiting" : "failed";
  server.dueAt = model.now + restartWaitMs(name, count + 1);
  endDoubt(model, server);
}

/** Waiting callers are rejected because the server was stopped. */
function endProbe(server: ServerModel): void {
  server.isProbed = false;
  server.held = 0;
}

function stop(model: Model, real: Real, name: string): void {
  const server = serverOf(model, name);
  if (server.phase === "idle") return;
  server.phase = "idle";
  endProbe(server);
  server.restarts = [];
  real.pardons.set(real.told.length, name);
}

/** Checks after every step that the supervisor matches the model and broke no rule. */
async function check(model: Model, real: Real): Promise<void> {
  await real.settle();
  const should = NAMES.map((name) => describeModel(serverOf(model, name)));
  const is = NAMES.map((name) => describeState(real.supervisor.state(name)));
  for (const name of NAMES)
    if (shouldHaveStarted(model, real, name)) real.wrongs.push(`"${name}" waits for nothing`);
  // Runs hundreds of thousands of times, so the common case is checked cheaply.
  if (is.join() !== should.join() || real.wrongs.length > 0)
    expect({ is, wrongs: real.wrongs }).toEqual({ is: should, wrongs: [] });
}

/** Returns whether a start is allowed: the limit is not reached and the previous run has ended. */
function shouldHaveStarted(model: Model, { starting, connections }: Real, name: string): boolean {
  if (!["connecting", "retrying"].includes(serverOf(model, name).phase)) return false;
  const isLeft = [...starting, ...connections.filter(({ isClosed }) => !isClosed)].some(
    ({ server }) => server === name,
  );
  return !isLeft && starting.size < PARALLEL_STARTS;
}

function describeModel({ phase, dueAt }: ServerModel): string {
  return phase === "waiting" ? `waiting until ${dueAt}` : phase;
}

function describeState(state: ConnectionState = { kind: "idle" }): string {
  if (state.kind !== "reconnecting") return state.kind;
  return state.nextTryAt === undefined ? "retrying" : `waiting until ${state.nextTryAt}`;
}

function command(label: string, run: (model: Model, real: Real) => void): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      run(model, real);
      await check(model, real);
    },
    toString: () => label,
  };
}

/** Records the outcome for a caller. Callers without an outcome are found at the end. */
function watch(real: Real, work: Promise<unknown>): void {
  const caller: Real["callers"][number] = {};
  real.callers.push(caller);
  work.then(
    () => (caller.outcome = "done"),
    (error: unknown) => (caller.outcome = error instanceof HostError ? error.code : String(error)),
  );
}

const connect = (name: string): Command =>
  command(`connect ${name}`, (model, real) => {
    use(model, serverOf(model, name));
    watch(real, real.supervisor.connect(name));
  });

const call = (name: string): Command =>
  command(`call ${name}`, (model, real) => {
    const server = serverOf(model, name);
    if (server.phase !== "connected" || server.isProbed) return;
    use(model, server);
    server.busy += 1;
    const request = async (): Promise<unknown> =>
      (await real.supervisor.connect(name)).request("tools/call", {}, { timeoutMs: 1 });
    watch(real, request());
  });

/** A request without a response means that the server hangs. */
const answer = (name: string): Command =>
  command(`answer ${name}`, (model, real) => {
    const server = serverOf(model, name);
    if (server.phase !== "connected" || server.busy === 0) return;
    server.busy -= 1;
    server.usedAt = model.now;
    real.connections.findLast((one) => one.server === name)?.answer();
  });

/** A cancelled start may still succeed, but must have no effect. */
function succeed(model: Model, start: FakeStart | undefined): void {
  if (start === undefined) return;
  const server = serverOf(model, start.server);
  if (!start.signal.aborted) {
    server.phase = "connected";
    server.usedAt = model.now;
  }
  start.succeed();
}

const finishStart = (pick: number): Command =>
  command(`finish start ${pick}`, (model, real) =>
    succeed(model, [...real.starting][pick % Math.max(1, real.starting.size)]),
  );

const finishStartOf = (name: string): Command =>
  command(`finish start of ${name}`, (model, real) =>
    succeed(
      model,
      [...real.starting].find(({ server }) => server === name),
    ),
  );

const failStart = (pick: number, code: HostErrorCode): Command =>
  command(`fail start ${pick} with ${code}`, (model, real) => {
    const start = [...real.starting][pick % Math.max(1, real.starting.size)];
    if (start === undefined) return;
    const server = serverOf(model, start.server);
    if (!start.signal.aborted) {
      if (server.phase === "retrying" && code === "CONNECT_EXITED") lose(model, start.server);
      else server.phase = code === "AUTH_REQUIRED" ? "needs_auth" : "failed";
    }
    start.fail(new HostError(code, `no ${start.server}`));
  });

const crash = (name: string): Command =>
  command(`crash ${name}`, (model, real) => {
    const server = serverOf(model, name);
    if (server.phase !== "connected") return;
    lose(model, name);
    real.connections.findLast((one) => one.server === name)?.crash();
  });

const probe = (name: string): Command =>
  command(`probe ${name}`, (model, real) => {
    const server = serverOf(model, name);
    if (server.phase !== "connected") return;
    server.isProbed = true;
    real.connections.findLast((one) => one.server === name)?.beProbed();
  });

const finishProbe = (name: string, isAnswered: boolean): Command =>
  command(`${isAnswered ? "answer" : "fail"} probe of ${name}`, (model, real) => {
    const server = serverOf(model, name);
    if (!server.isProbed) return;
    if (isAnswered) endDoubt(model, server);
    else lose(model, name);
    real.connections.findLast((one) => one.server === name)?.endProbe(isAnswered);
  });

/** Reports the end of a connection that was replaced long ago. */
const lateNews = (pick: number): Command =>
  command(`late news ${pick}`, (_, real) => {
    const dead = real.connections.filter(({ isClosed }) => isClosed);
    dead[pick % Math.max(1, dead.length)]?.tellEnd();
  });

const finishClose = (pick: number): Command =>
  command(`finish close ${pick}`, (_, real) => {
    const open = real.connections.filter(({ isClosed }) => !isClosed);
    open[pick % Math.max(1, open.length)]?.finishClose();
  });

const close = (name: string): Command =>
  command(`close ${name}`, (model, real) => {
    stop(model, real, name);
    watch(real, real.supervisor.close(name));
  });

/** What a reload does to a changed server. */
const reload = (name: string): Command =>
  command(`reload ${name}`, (model, real) => {
    const server = serverOf(model, name);
    const wasInUse = !["idle", "failed", "needs_auth"].includes(server.phase);
    expect(real.supervisor.inUse().includes(name)).toBe(wasInUse);
    stop(model, real, name);
    watch(real, real.supervisor.close(name));
    if (!wasInUse) return;
    use(model, server);
    watch(real, real.supervisor.connect(name));
  });

const giveUp = (name: string): Command =>
  command(`give up ${name}`, (model, real) => {
    const server = serverOf(model, name);
    server.phase = "failed";
    endProbe(server);
    real.supervisor.giveUp(name, new HostError("CONNECT_TIMEOUT", "too slow"));
  });

const pass = (ms: number): Command =>
  command(`${ms} ms pass`, (model, real) => {
    model.now += ms;
    for (const name of NAMES) {
      const server = serverOf(model, name);
      if (server.phase === "waiting" && server.dueAt <= model.now) {
        server.phase = "retrying";
        server.busy = 0;
        server.restarts = [...server.restarts, server.dueAt];
      }
      const mayStop = server.phase === "connected" && server.busy === 0 && idleStopMs(name) !== undefined;
      if (mayStop && server.usedAt + IDLE_STOP_MS <= model.now) {
        server.phase = "idle";
        endDoubt(model, server);
      }
    }
    real.clock.advance(ms);
  });

const behave = (ignoresAbort: boolean, closesSlowly: boolean): Command =>
  command(`behave ${ignoresAbort} ${closesSlowly}`, (_, real) => {
    real.manners = { ignoresAbort, closesSlowly };
  });

/** Several steps that are rarely generated in this order. Each is checked. */
function inSequence(label: string, commands: readonly Command[]): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      for (const step of commands) await step.run(model, real);
    },
    toString: () => label,
  };
}

const bringUp = (name: string): Command =>
  inSequence(`bring up ${name}`, [connect(name), finishStartOf(name)]);

/** Crashes and restarts repeatedly. */
const flap = (name: string, waits: readonly number[]): Command =>
  inSequence(`flap ${name} ${waits.join(" ")}`, [
    bringUp(name),
    ...waits.flatMap((wait) => [crash(name), pass(wait), finishStartOf(name)]),
  ]);

const longCall = (name: string, wait: number): Command =>
  inSequence(`long call ${name} ${wait}`, [bringUp(name), call(name), pass(wait), answer(name), pass(wait)]);

/** Lets a request time out. Calls arrive during the probe. */
const doubt = (name: string, callers: number, isAnswered: boolean): Command =>
  inSequence(`doubt ${name}, ${callers} callers`, [
    bringUp(name),
    probe(name),
    ...Array.from({ length: callers }, () => connect(name)),
    finishProbe(name, isAnswered),
  ]);

const name = fc.constantFrom(...NAMES);
const pick = fc.nat(5);
const COMMANDS = [
  name.map(connect),
  name.map(call),
  name.map(answer),
  name.map(bringUp),
  name.map(bringUp),
  fc
    .tuple(name, fc.array(fc.constantFrom(500, 15_000, 31_000, 100_000), { maxLength: 8 }))
    .map(([one, waits]) => flap(one, waits)),
  fc.tuple(name, fc.constantFrom(5_000, 15_000, 31_000)).map(([one, wait]) => longCall(one, wait)),
  pick.map(finishStart),
  fc
    .tuple(
      pick,
      fc.constantFrom<HostErrorCode>(
        "CONNECT_EXITED",
        "CONNECT_EXITED",
        "AUTH_REQUIRED",
        "CONNECT_COMMAND_NOT_FOUND",
      ),
    )
    .map(([which, code]) => failStart(which, code)),
  name.map(crash),
  name.map(crash),
  name.map(probe),
  fc.tuple(name, fc.boolean()).map(([one, isAnswered]) => finishProbe(one, isAnswered)),
  fc
    .tuple(name, fc.nat(2), fc.boolean())
    .map(([one, callers, isAnswered]) => doubt(one, callers, isAnswered)),
  pick.map(lateNews),
  pick.map(finishClose),
  name.map(close),
  name.map(reload),
  name.map(giveUp),
  fc.constantFrom(400, 500, 5_000, 31_000, 100_000).map(pass),
  fc.constantFrom(500, 5_000).map(pass),
  fc.tuple(fc.boolean(), fc.boolean()).map(([first, second]) => behave(first, second)),
];

const LEGAL: Readonly<Partial<Record<ServerStateKind, readonly ServerStateKind[]>>> = {
  idle: ["connecting", "failed"],
  connecting: ["connected", "failed", "needs_auth", "idle"],
  connected: ["reconnecting", "failed", "idle"],
  reconnecting: ["reconnecting", "connected", "failed", "needs_auth", "idle"],
  failed: ["connecting", "failed", "idle"],
  needs_auth: ["connecting", "failed", "idle"],
};

/** Checks the reported states without the model: only allowed transitions, and never more restarts than the limit. */
function checkHistory({ told, pardons }: Real): void {
  for (const server of NAMES) {
    let before: ServerStateKind = "idle";
    let restarts: number[] = [];
    for (const [index, { server: of, state, at }] of told.entries()) {
      if (of !== server) continue;
      if (!LEGAL[before]?.includes(state.kind)) expect.fail(`${server}: ${before} → ${state.kind}`);
      before = state.kind;
      if (pardons.get(index) === server) restarts = [];
      if (state.kind !== "reconnecting" || state.nextTryAt !== undefined) continue;
      restarts.push(at);
      const lately = restarts.filter((time) => time > at - RESTARTS.withinMs);
      if (lately.length > RESTARTS.most) expect.fail(`${server}: ${lately.length} restarts`);
    }
  }
}

/** Closes everything and lets slow servers finish. */
async function checkEnd(real: Real): Promise<void> {
  const closed = real.supervisor.close();
  watch(real, real.supervisor.connect("a"));
  for (const start of real.starting) start.succeed();
  await real.settle();
  for (const connection of real.connections) connection.finishClose();
  await closed;
  const states = NAMES.map((server) => real.supervisor.state(server)?.kind ?? "idle");
  expect(states).toEqual(NAMES.map(() => "idle"));
  expect(real.connections.filter(({ isClosed }) => !isClosed)).toEqual([]);
  expect(real.callers.at(-1)).toEqual({ outcome: "HOST_CLOSED" });
  // No caller waits forever, and each gets a result or the reason for a failure.
  expect(real.callers.filter(({ outcome = "" }) => !/^(done|[A-Z_]+)$/.test(outcome))).toEqual([]);

  expect(real.timers.size).toBe(0);
  const { length } = real.told;
  for (const connection of real.connections) connection.tellEnd();
  real.clock.advance(3_600_000);
  await real.settle();
  expect(real.starting.size).toBe(0);
  expect(real.told).toHaveLength(length);
  expect(real.wrongs).toEqual([]);
}

const RUNS = 2_000;

test(`in ${RUNS} random runs every server matches the model`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 30, size: "+1" }), async (commands) => {
      const real: Real = Object.assign(createFakeServers(PARALLEL_STARTS, idleStopMs), {
        callers: [],
        pardons: new Map(),
      });
      const servers = Object.fromEntries(
        NAMES.map((server): [string, ServerModel] => [
          server,
          { phase: "idle", restarts: [], dueAt: 0, busy: 0, usedAt: 0, isProbed: false, held: 0 },
        ]),
      );
      await fc.asyncModelRun(() => ({ model: { now: real.clock.now(), servers }, real }), commands);
      checkHistory(real);
      await checkEnd(real);
    }),
    { numRuns: RUNS },
  );
}, 120_000);
