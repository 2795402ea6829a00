import { describe, expect, test } from "vitest";
import type { HostEvent, LogLevel } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventsOf, eventually, failureOf, hostIn, PATIENTLY } from "./host-in.ts";

const kindOf = (event: HostEvent): string =>
  event.type === "server.state" ? `${event.server} ${event.state}` : event.type;

describe("events", () => {
  test("report the states of a server from its first use to its end", async () => {
    await using sandbox = await createSandbox();
    const host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
    const events = eventsOf(host);
    await host.call("raw", "echo", { text: "hi" });
    await host.close();
    expect(events.map(kindOf)).toEqual(["raw connecting", "raw connected", "raw idle"]);
  });

  test("contain the reason of a failure", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { broken: { command: "no-such-program" } } });
    const events = eventsOf(host);
    const failure = await failureOf(host.connect("broken"));
    expect(events).toMatchObject([
      { type: "server.state", server: "broken", state: "connecting" },
      {
        type: "server.state",
        server: "broken",
        state: "failed",
        errorCode: failure.code,
        because: failure.message,
      },
    ]);
  });

  test("still arrive if a listener throws, and stop after it unsubscribes", async () => {
    await using sandbox = await createSandbox();
    const complaints: unknown[] = [];
    const log = {
      log: (level: LogLevel, event: string, fields: unknown) =>
        void (level === "error" && complaints.push([event, fields])),
    };
    await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") }, log });
    host.subscribe(() => {
      throw new Error("not today");
    });
    const leave = host.subscribe(() => expect.fail("it left before anything happened"));
    leave();
    const events = eventsOf(host);
    await host.connect("raw");
    expect(events.map(kindOf)).toEqual(["raw connecting", "raw connected"]);
    expect(complaints).toEqual([
      ["listener.failed", { error: "not today" }],
      ["listener.failed", { error: "not today" }],
    ]);
  });
});

test("a snapshot has a number, and reading it starts nothing", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
  const before = host.snapshot();
  expect(host.snapshot()).toEqual(before);
  expect(before).toMatchObject({ servers: [{ name: "raw", state: "idle" }], problems: [] });

  await host.connect("raw");

  const after = host.snapshot();
  expect(after.revision).toBeGreaterThan(before.revision);
  expect(after.servers.map(({ state }) => state)).toEqual(["connected"]);
  expect(before.servers.map(({ state }) => state)).toEqual(["idle"]);
});

class CountingLog {
  #errors = 0;
  get errors(): number {
    return this.#errors;
  }
  log(level: LogLevel): void {
    if (level === "error") this.#errors += 1;
  }
}

test("a log's methods are called on the log object", async () => {
  await using sandbox = await createSandbox();
  const log = new CountingLog();
  await using host = await hostIn(sandbox, { servers: { broken: { command: "no-such-program" } }, log });
  await host.tools(PATIENTLY);
  expect(log.errors).toBe(1);
});

test.each<[string, () => unknown]>([
  ["throws", () => expect.fail("the log is full")],
  ["rejects", () => Promise.reject(new Error("the log is full"))],
])("a log that %s does not affect connections, calls, events or closing", async (_, log) => {
  await using sandbox = await createSandbox();
  const servers = {
    asking: stdioServer("asking-server.mjs"),
    raw: stdioServer("raw-server.mjs"),
    broken: { command: "no-such-program" },
  };
  const host = await hostIn(sandbox, { servers, log: { log } });
  host.subscribe(() => {
    throw new Error("not today");
  });
  const events = eventsOf(host);
  expect((await failureOf(host.connect("broken"))).code).toBe("CONNECT_COMMAND_NOT_FOUND");
  expect((await host.call("raw", "echo", { text: "hi" })).text).toContain("hi");
  await host.call("asking", "log", { level: "warning", text: "listen" });
  await eventually(() => expect(events.map(({ type }) => type)).toContain("log"));
  await host.close();
  expect(host.servers().map(({ state }) => state)).toEqual(["idle", "idle", "idle"]);
});

test("a server's failure is logged with its kind", async () => {
  await using sandbox = await createSandbox();
  const lines: unknown[] = [];
  const log = { log: (...line: unknown[]) => void (line[0] === "error" && lines.push(line)) };
  const hanging = { ...stdioServer("raw-server.mjs", ["--behave", "hang"]), startupTimeout: 200 };
  const servers = { hanging, broken: { command: "no-such-program" } };
  await using host = await hostIn(sandbox, { servers, log });
  await host.tools(PATIENTLY);
  expect(lines).toHaveLength(2);
  expect(lines).toContainEqual(["error", "MCP server timeout", { server: "hanging" }]);
  expect(lines).toContainEqual([
    "error",
    "MCP connection failed",
    { server: "broken", error: 'Failed to connect to "broken": command "no-such-program" was not found' },
  ]);
});

test("the tools of a server that announces a change are read again, and the event names the server", async () => {
  await using sandbox = await createSandbox();
  const growing = stdioServer("raw-server.mjs", ["--behave", "list-changed"]);
  await using host = await hostIn(sandbox, { servers: { raw: growing } });
  const before = (await host.tools(PATIENTLY)).length;
  const pid = (await host.call("raw", "pid")).text;
  const events = eventsOf(host);
  await host.call("raw", "grow");
  await eventually(() =>
    expect(events).toEqual([
      { type: "catalog.changed", server: "raw", kind: "tools", revision: 2 },
      { type: "tools.changed", server: "raw" },
    ]),
  );
  expect((await host.tools(PATIENTLY)).length).toBe(before + 1);
  expect((await host.call("raw", "pid")).text).toBe(pid); // it was not started again
});

describe("a session", () => {
  const growing = stdioServer("raw-server.mjs", ["--behave", "list-changed"]);

  test("contains the tools of its selected servers", async () => {
    await using sandbox = await createSandbox();
    const servers = { one: stdioServer("raw-server.mjs"), two: stdioServer("raw-server.mjs") };
    await using host = await hostIn(sandbox, { servers });
    const session = host.session({ servers: ["two"] });
    expect(session.snapshot()).toEqual({ revision: 0, tools: [], missing: [] });
    expect((await session.tools(PATIENTLY)).map(({ name }) => name)).toEqual(["mcp_two_echo", "mcp_two_pid"]);
    session.close();
  });

  test("replaces all tools when a server's tools change, and the old ones stay usable", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { raw: growing } });
    const session = host.session();
    const before = await session.tools(PATIENTLY);
    const seen: string[][] = [];
    session.subscribe(({ tools }) => seen.push(tools.map(({ tool }) => tool)));

    await before.find(({ tool }) => tool === "grow")?.execute({});

    await eventually(() => expect(seen).toEqual([["echo", "grow", "grown_1", "pid"]]));
    expect(session.snapshot().tools.map(({ tool }) => tool)).toEqual(seen[0]);
    expect(before.map(({ tool }) => tool)).toEqual(["echo", "grow", "pid"]);
    expect(await before[0]?.execute({ text: "still here" })).toMatchObject({ text: "still here" });
    session.close();
  });

  test("returns its servers' instructions for the model", async () => {
    await using sandbox = await createSandbox();
    const servers = { tools: stdioServer("tools-server.mjs"), raw: stdioServer("raw-server.mjs") };
    await using host = await hostIn(sandbox, { servers });
    const session = host.session();
    await session.tools(PATIENTLY);
    expect(await session.instructions()).toBe(
      '## From the MCP server "tools"\n\nThe server says this, not the user:\n\n> Call echo to hear yourself.',
    );
    session.close();
  });
});
