import { describe, expect, test } from "vitest";
import {
  type AgentTool,
  type Host,
  type HostEvent,
  type HostOptions,
  ToolAbortError,
} from "../../src/index.ts";
import { createManualClock, type ManualClock } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventsOf, eventually, failureOf, hostIn } from "./host-in.ts";

const GOOD = stdioServer("raw-server.mjs");
const HANGING = stdioServer("raw-server.mjs", ["--behave", "hang"]);
const FAILING = stdioServer("raw-server.mjs", ["--behave", "exit"]);

const serversIn = (tools: readonly AgentTool[]): string[] => [...new Set(tools.map(({ server }) => server))];
const startsOf = (events: readonly HostEvent[], name: string): number =>
  events.filter(
    (event) => event.type === "server.state" && event.server === name && event.state === "connecting",
  ).length;
const stateOf = (host: Host, name: string) => host.servers().find((one) => one.name === name)?.state;

interface Scene extends AsyncDisposable {
  readonly host: Host;
  readonly events: readonly HostEvent[];
  readonly clock: ManualClock;
  readonly sandbox: Sandbox;
}

/** A host whose clock only the test moves, so that an unexpected wait never ends. */
async function setUp(options: HostOptions): Promise<Scene> {
  const sandbox = await createSandbox();
  const clock = createManualClock(Date.now());
  const host = await hostIn(sandbox, { ...options, ports: { clock } });
  return {
    host,
    events: eventsOf(host),
    clock,
    sandbox,
    async [Symbol.asyncDispose]() {
      await host.close();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

describe("a server that hangs", () => {
  test("delays the first list by two seconds, and no later one", async () => {
    await using scene = await setUp({ servers: { good: GOOD, hanging: HANGING } });
    const { host, clock, events } = scene;
    await host.tools("good");
    const session = host.session();
    const first = session.tools();
    await eventually(() => expect(stateOf(host, "hanging")).toBe("connecting"));
    clock.advance(1_999);
    const second = host.session().tools();
    clock.advance(1);
    expect(serversIn(await first)).toEqual(["good"]);
    expect(serversIn(await session.tools())).toEqual(["good"]);
    expect(serversIn(await host.tools())).toEqual(["good"]);
    expect(serversIn(await host.search("echo"))).toEqual(["good"]);
    clock.advance(1_999);
    expect(serversIn(await second)).toEqual(["good"]);
    expect([session.snapshot().missing, host.snapshot().missing]).toEqual([
      [{ server: "hanging" }],
      [{ server: "hanging" }],
    ]);
    expect(startsOf(events, "hanging")).toBe(1);
  });

  test("is not retried for a while after its start failed, and then retried in the background", async () => {
    await using scene = await setUp({
      servers: { good: GOOD, hanging: { ...HANGING, startupTimeout: 3_000 } },
    });
    const { host, clock, events } = scene;
    await host.tools("good");
    const session = host.session();
    const failAfter = async (ms: number): Promise<void> => {
      await eventually(() => expect(stateOf(host, "hanging")).toBe("connecting"));
      clock.advance(ms);
      await eventually(() => expect(stateOf(host, "hanging")).toBe("failed"));
    };
    await session.tools({ waitMs: 0 });
    await failAfter(3_000);
    for (const [waitMs, starts] of [
      [4_999, 1],
      [1, 2],
    ] as const) {
      clock.advance(waitMs);
      expect(serversIn(await session.tools())).toEqual(["good"]); // does not wait
      expect(startsOf(events, "hanging")).toBe(starts);
    }
    await failAfter(3_000);
    clock.advance(9_999); // the second failure doubles the wait
    await session.tools();
    expect(startsOf(events, "hanging")).toBe(2);
    clock.advance(1);
    await session.tools();
    expect(startsOf(events, "hanging")).toBe(3);
    await failAfter(3_000);
    expect(session.snapshot().missing).toMatchObject([
      {
        server: "hanging",
        errorCode: "CONNECT_TIMEOUT",
        nextTry: new Date(clock.now() + 20_000).toISOString(),
      },
    ]);
  });

  test("is waited for until the caller's limit", async () => {
    await using scene = await setUp({ servers: { hanging: { ...HANGING, startupTimeout: 5_000 } } });
    const { host, clock } = scene;
    const short = host.tools({ waitMs: 100 });
    const long = host.tools({ waitMs: Number.POSITIVE_INFINITY });
    await eventually(() => expect(stateOf(host, "hanging")).toBe("connecting"));
    clock.advance(100);
    expect(await short).toEqual([]);
    expect(host.snapshot().missing).toEqual([{ server: "hanging" }]);
    clock.advance(4_900);
    expect(await long).toEqual([]);
    expect(host.snapshot().missing).toMatchObject([{ errorCode: "CONNECT_TIMEOUT" }]);
  });

  test("rejects a request for its own tools after `waitMs`, or after its own time limit", async () => {
    await using scene = await setUp({ servers: { hanging: { ...HANGING, startupTimeout: 5_000 } } });
    const { host, clock } = scene;
    const short = failureOf(host.tools("hanging", { waitMs: 100 }));
    const long = failureOf(host.tools("hanging"));
    await eventually(() => expect(stateOf(host, "hanging")).toBe("connecting"));
    clock.advance(100);
    expect(await short).toEqual({
      code: "CONNECT_TIMEOUT",
      message: '"hanging" did not list its tools within 100 ms',
      hint: "The caller set this time limit.",
      server: "hanging",
    });
    clock.advance(4_900);
    expect((await long).message).toContain("Failed to connect");
  });

  test("does not keep an aborted caller waiting", async () => {
    await using scene = await setUp({ servers: { hanging: HANGING } });
    const abort = new AbortController();
    const listing = scene.host.session().tools({ signal: abort.signal });
    const why = new Error("the user left");
    abort.abort(why);
    const error = await listing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ToolAbortError);
    expect((error as Error).cause).toBe(why);
  });
});

describe("a server that fails", () => {
  test("is not started again by every request, and its error is in the snapshot", async () => {
    await using scene = await setUp({ servers: { good: GOOD, failing: FAILING } });
    const { host, events } = scene;
    await host.tools("good");
    for (let step = 0; step < 4; step += 1) expect(serversIn(await host.tools())).toEqual(["good"]);
    expect(startsOf(events, "failing")).toBe(1);
    expect(host.snapshot().missing).toMatchObject([
      { server: "failing", errorCode: "CONNECT_EXITED", because: expect.stringContaining("boom") },
    ]);
  });

  test("is started again immediately if its tools are requested by name, or to refresh them", async () => {
    await using scene = await setUp({ servers: { failing: FAILING } });
    const { host, events } = scene;
    await host.tools();
    await failureOf(host.tools("failing"));
    await host.tools({ refresh: true });
    expect(startsOf(events, "failing")).toBe(3);
  });

  test("is forgotten by a reload", async () => {
    await using scene = await setUp({ servers: { failing: FAILING } });
    const { host, events } = scene;
    await host.tools();
    await host.reload();
    expect(host.snapshot().missing).toEqual([]);
    await host.tools();
    expect(startsOf(events, "failing")).toBe(2);
  });

  test("is listed immediately when it has connected in the meantime", async () => {
    await using scene = await setUp({});
    const { host, sandbox } = scene;
    const script = await sandbox.writeHome("server.mjs", "process.exit(3);");
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { late: { command: process.execPath, args: [script] } },
    });
    await host.reload();
    expect(await host.tools()).toEqual([]);
    await sandbox.writeHome("server.mjs", `import ${JSON.stringify(GOOD.args[0])};`);
    expect(await host.tools()).toEqual([]); // too early
    await host.connect("late");
    expect(serversIn(await host.tools())).toEqual(["late"]);
    expect(host.snapshot().missing).toEqual([]);
  });
});

describe("tools that arrive late", () => {
  test("join the session, and an event says so", async () => {
    await using scene = await setUp({ servers: { good: GOOD } });
    const { host, events } = scene;
    const session = host.session();
    expect(await session.tools({ waitMs: 0 })).toEqual([]);
    expect(session.snapshot().missing).toEqual([{ server: "good" }]);
    const [revision] = await eventually(() => {
      const { tools, revision: now, missing } = session.snapshot();
      expect([serversIn(tools), missing]).toEqual([["good"], []]);
      return [now];
    });
    expect([revision, events.filter(({ type }) => type === "tools.changed")]).toEqual([
      1,
      [{ type: "tools.changed", server: "good" }],
    ]);
  });

  test("are not announced if every caller waited for them", async () => {
    await using scene = await setUp({ servers: { good: GOOD } });
    await scene.host.tools();
    expect(scene.events.filter(({ type }) => type === "tools.changed")).toEqual([]);
  });
});

test("an expired list is returned immediately, marked as stale", async () => {
  await using sandbox = await createSandbox();
  {
    await using first = await hostIn(sandbox, { servers: { good: GOOD }, toolsTtlMs: 1 });
    await first.tools({ waitMs: Number.POSITIVE_INFINITY });
  }
  const clock = createManualClock(Date.now() + 3_600_000);
  await using host = await hostIn(sandbox, { servers: { good: GOOD }, toolsTtlMs: 1, ports: { clock } });
  expect((await host.session().tools({ waitMs: 0 })).map(({ stale }) => stale)).toEqual([true, true]);
  expect([stateOf(host, "good"), host.snapshot().missing]).toEqual(["idle", []]);
});

test("a session that names its servers says which of them do not exist or may not run", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".mcp.json", { mcpServers: { fromProject: GOOD } });
  const options = { servers: { good: GOOD, off: { ...GOOD, enabled: false } } };
  await using host = await hostIn(sandbox, { ...options, discover: true });
  const session = host.session({ servers: ["good", "godo", "off", "fromProject"] });
  await session.tools();
  expect(session.snapshot().missing).toMatchObject([
    { server: "godo", errorCode: "SERVER_UNKNOWN", hint: 'Did you mean "good"?' },
    { server: "off", errorCode: "SERVER_DISABLED" },
    { server: "fromProject", errorCode: "INTERACTION_REQUIRED" },
  ]);
  await host.approvals.approve("fromProject", host.approvals.request("fromProject").hash);
  expect(session.snapshot().missing.map(({ server }) => server)).toEqual(["godo", "off"]);
});
