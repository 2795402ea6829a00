import { expect, test } from "vitest";
import type { Clock } from "../../platform/index.ts";
import { type GuardedServer, ResourceGuard } from "./resource-guard.ts";

const MB = 1024 * 1024;

/** A clock whose time passes only when a test says so. */
class ManualClock implements Clock {
  time = 1_000_000;
  readonly #timers = new Set<{ readonly at: number; readonly call: () => void }>();

  now(): number {
    return this.time;
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.time + ms, call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).toSorted((one, two) => one.at - two.at);
      if (next === undefined) break;
      this.time = Math.max(this.time, next.at);
      this.#timers.delete(next);
      next.call();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    }
    this.time = end;
  }
}

interface Fake extends GuardedServer {
  memory: number;
  cpuMs: number;
  exactly: number;
}

function guarded({ total = 10_000, most = 64 } = {}) {
  const clock = new ManualClock();
  const running = new Set<Fake>();
  const did: string[] = [];
  let lastPid = 0;
  const add = (server: string, more: Partial<Fake> = {}): Fake => {
    lastPid += 1;
    const fake: Fake = {
      server,
      memory: 10,
      cpuMs: 0,
      exactly: 0,
      busy: 0,
      isListenedTo: false,
      usedAt: lastPid,
      clients: 1,
      share: "user",
      limitMb: 100,
      process: {
        pid: lastPid,
        async usage(exact) {
          if (exact) fake.exactly += 1;
          return { processes: 1, memoryBytes: fake.memory * MB, cpuMs: fake.cpuMs };
        },
      },
      restart: () => void (running.delete(fake), did.push(`restart ${server}`)),
      stop: () => void (running.delete(fake), did.push(`stop ${server}`)),
      ...more,
    };
    running.add(fake);
    return fake;
  };
  const guard = new ResourceGuard({
    servers: () => [...running],
    limits: () => ({ totalMemoryMb: total, serverProcesses: most }),
    clock,
    machineBytes: undefined,
  });
  return { guard, clock, running, did, add };
}

test("a server that leaks is restarted, and others are not", async () => {
  const { guard, clock, did, add } = guarded();
  const leaking = add("leaking");
  add("fine");
  for (leaking.memory = 10; leaking.memory < 110; leaking.memory += 20) await clock.pass(2_000);
  expect(did).toEqual([]);
  await clock.pass(2_000);
  expect(did).toEqual(["restart leaking"]);
  expect(guard.events).toEqual([expect.objectContaining({ server: "leaking" })]);
  guard.stop();
});

test("memory is measured exactly only when a server is near a limit", async () => {
  const { guard, clock, add } = guarded();
  const one = add("one", { memory: 40 });
  await clock.pass(6_000);
  expect(one.exactly).toBe(0);
  one.memory = 60;
  await clock.pass(6_000);
  expect(one.exactly).toBe(3);
  guard.stop();
});

test("a server that was asked to stop is not asked again", async () => {
  const { guard, clock, running, did, add } = guarded();
  const slow = add("slow", { memory: 200, restart: () => void did.push("restart slow") });
  await clock.pass(10_000);
  expect(did).toEqual(["restart slow"]);
  expect(running.has(slow)).toBe(true);
  guard.stop();
});

test("the load is the processor time divided by the elapsed time", async () => {
  const { guard, clock, add } = guarded();
  const one = add("one");
  expect((await guard.measure(false))[0]?.load).toBeUndefined();
  one.cpuMs = 1_000;
  await clock.pass(2_000);
  expect((await guard.measure(false))[0]?.load).toBeCloseTo(0.5);
  guard.stop();
});

test("if too many servers run, the one that was unused for the longest time stops", async () => {
  const { guard, clock, did, add } = guarded({ most: 3 });
  add("busy", { busy: 1 });
  add("old");
  add("new");
  let started = false;
  const admitted = guard.admit("more", new AbortController().signal, async () => void (started = true));
  await clock.pass(1_000);
  await admitted;
  expect([started, did]).toEqual([true, ["stop old"]]);
  guard.stop();
});

test("servers that are starting count, too", async () => {
  const { guard, clock, did, add } = guarded({ most: 2 });
  const { signal } = new AbortController();
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  add("old");
  const first = guard.admit("first", signal, () => opened);
  const second = guard.admit("second", signal, async () => {});
  await clock.pass(1_000);
  expect(did).toEqual(["stop old"]);
  open();
  await Promise.all([first, second, clock.pass(1_000)]);
  guard.stop();
});

test("if all servers are in use, a start fails after some time and names the setting that limits it", async () => {
  const { guard, clock, add } = guarded({ most: 1 });
  add("busy", { busy: 1 });
  const refused = guard.admit("more", new AbortController().signal, async () => {});
  const failure = refused.catch((error: unknown) => error);
  await clock.pass(31_000);
  expect(await failure).toMatchObject({
    code: "CONNECT_FAILED",
    hint: expect.stringContaining("serverProcesses"),
  });
  guard.stop();
});

test("a start that is cancelled while it waits ends", async () => {
  const { guard, clock, add } = guarded({ most: 1 });
  add("busy", { busy: 1 });
  const abort = new AbortController();
  const waiting = guard.admit("more", abort.signal, async () => {});
  abort.abort();
  await expect(waiting).rejects.toThrow();
  await clock.pass(0);
  guard.stop();
});

test("without a setting, the total limit is half of the machine's memory", () => {
  const options = { servers: () => [], clock: new ManualClock() };
  const limits = () => ({ totalMemoryMb: undefined, serverProcesses: 1 });
  const guard = new ResourceGuard({ ...options, limits, machineBytes: 8 * MB });
  expect(guard.totalBytes).toBe(4 * MB);
  guard.stop();
  const unknown = new ResourceGuard({ ...options, limits: () => undefined, machineBytes: undefined });
  expect(unknown.totalBytes).toBe(Number.POSITIVE_INFINITY);
  unknown.stop();
});
