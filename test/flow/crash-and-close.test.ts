import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Host } from "../../src/index.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { createJumpingClock } from "../support/jumping-clock.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";
import { eventsOf, eventually, eventuallyReads, failureOf, hostIn, isRunning, PATIENTLY } from "./host-in.ts";

async function pidOf(host: Host, server: string): Promise<number> {
  return Number((await host.call(server, "pid")).text);
}

describe("a server that crashes in the middle of a call", () => {
  test("fails that call immediately, with its exit code and last output", async () => {
    await using sandbox = await createSandbox();
    const raw = stdioServer("raw-server.mjs", ["--behave", "crash-on-call"]);
    await using host = await hostIn(sandbox, { servers: { raw } });
    const events = eventsOf(host);
    expect(await failureOf(host.call("raw", "echo", { text: "hi" }))).toEqual({
      code: "TOOL_CALL_FAILED",
      message:
        'Tool execution failed: the process of "raw" exited with code 5; last output:\nboom: crashed in a call',
      server: "raw",
    });
    expect(events).toContainEqual({
      type: "server.state",
      server: "raw",
      state: "reconnecting",
      attempt: 1,
      nextTry: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      errorCode: "CONNECTION_LOST",
      because: 'the process of "raw" exited with code 5; last output:\nboom: crashed in a call',
    });
  });

  test("is started again by the next call", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
    const first = await pidOf(host, "raw");
    const events = eventsOf(host);
    process.kill(first, "SIGKILL");
    await eventually(() => expect(events).toMatchObject([{ state: "reconnecting" }]));
    const second = await pidOf(host, "raw");
    expect(second).not.toBe(first);
    expect(host.servers()[0]?.state).toBe("connected");
  });

  test("leaves none of its children behind", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "pids.json");
    const raw = stdioServer("raw-server.mjs", ["--behave", "grandchild,crash-on-call"], { PID_FILE: file });
    await using host = await hostIn(sandbox, { servers: { raw } });
    await failureOf(host.call("raw", "pid"));
    const { grandchild }: { grandchild: number } = JSON.parse(await eventuallyReads(file));
    await eventually(async () => expect(await isRunning(grandchild)).toBe(false));
  });
});

test("a session that a restarted HTTP server forgot is opened again by the next call", async () => {
  await using sandbox = await createSandbox();
  const port = await findFreePort();
  const start = (): ReturnType<typeof startHttpServer> =>
    startHttpServer(["--legacy-only", "--port", String(port)]);
  const url = `http://127.0.0.1:${port}/mcp`;
  const servers = { web: { type: "http", url } } as const;
  await using host = await hostIn(sandbox, { servers });
  {
    await using first = await start();
    expect(first.url).toBe(url);
    expect(await host.call("web", "echo", { text: "one" })).toMatchObject({ text: "one" });
  }
  expect(await failureOf(host.call("web", "echo", { text: "nobody there" }))).toMatchObject({
    code: "TOOL_CALL_FAILED",
  });
  await using second = await start();
  expect(second.url).toBe(url);
  expect(await host.call("web", "echo", { text: "two" })).toMatchObject({ text: "two" });
});

test("a call is retried once if nothing is listening, as during a server's restart", async () => {
  await using sandbox = await createSandbox();
  const port = await findFreePort();
  const start = () => startHttpServer(["--port", String(port)]);
  const first = await start();
  let comesBack: Promise<AsyncDisposable> | undefined;
  const { clock } = createJumpingClock();
  const after: typeof clock.after = (ms, callback) => {
    if (ms !== 100 || comesBack !== undefined) return clock.after(ms, callback);
    comesBack = start(); // just in time for the second try
    void comesBack.then(() => clock.after(0, callback));
    return () => {};
  };
  const servers = { web: { type: "http", url: first.url } } as const;
  await using host = await hostIn(sandbox, { servers, ports: { clock: { now: clock.now, after } } });
  await host.tools("web");
  await first[Symbol.asyncDispose]();
  try {
    expect(await host.call("web", "echo", { text: "two" })).toMatchObject({ text: "two" });
    expect(comesBack).toBeDefined();
  } finally {
    await (await comesBack)?.[Symbol.asyncDispose]();
  }
});

test("twenty calls at once start one process", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
  const pids = await Promise.all(Array.from({ length: 20 }, () => pidOf(host, "raw")));
  expect(new Set(pids).size).toBe(1);
});

test("starts wait when the limit of concurrent starts is reached", async () => {
  await using sandbox = await createSandbox();
  const names = ["a", "b", "c", "d"];
  const servers = Object.fromEntries(names.map((name) => [name, stdioServer("raw-server.mjs")]));
  await using host = await hostIn(sandbox, { servers, settings: { parallelStarts: 1 } });
  const connected = await Promise.all(names.map((name) => host.connect(name)));
  expect(connected.map(({ name }) => name)).toEqual(["raw", "raw", "raw", "raw"]);
});

describe("closing the host", () => {
  test("ends a server that ignores the end of its input and SIGTERM, and its children", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "pids.json");
    const stubborn = stdioServer("raw-server.mjs", ["--behave", "ignore-sigterm,grandchild"], {
      PID_FILE: file,
    });
    const host = await hostIn(sandbox, { servers: { stubborn } });
    await host.connect("stubborn");
    const pids: { pid: number; grandchild: number } = JSON.parse(await eventuallyReads(file));
    expect([await isRunning(pids.pid), await isRunning(pids.grandchild)]).toEqual([true, true]);

    await host.close();

    await eventually(async () =>
      expect([await isRunning(pids.pid), await isRunning(pids.grandchild)]).toEqual([false, false]),
    );
  });

  test("cancels starts that are in progress", async () => {
    await using sandbox = await createSandbox();
    const started = join(sandbox.home, "started");
    const script = `require("fs").writeFileSync(${JSON.stringify(started)}, ""); setTimeout(() => {}, 60000)`;
    const slow = { command: process.execPath, args: ["-e", script] };
    const host = await hostIn(sandbox, { servers: { slow, other: slow }, settings: { parallelStarts: 1 } });
    const calls = ["slow", "other"].map((server) => failureOf(host.call(server, "echo")));
    await host.close();
    expect(await Promise.all(calls)).toEqual([
      { code: "HOST_CLOSED", message: "This host is closed." },
      { code: "HOST_CLOSED", message: "This host is closed." },
    ]);
    expect(existsSync(started)).toBe(false); // one that started later would be found as a leak
  });

  test("makes a running call fail", async () => {
    await using sandbox = await createSandbox();
    const host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
    let call: Promise<unknown> | undefined;
    await new Promise<void>((started) => {
      call = failureOf(host.call("tools", "slow", { ms: 60_000 }, { onProgress: () => started() }));
    });
    await host.close();
    expect(await call).toMatchObject({
      code: "TOOL_CALL_FAILED",
      message: 'Tool execution failed: the connection to "tools" was closed',
    });
  });

  test("makes later operations that need a server fail", async () => {
    await using sandbox = await createSandbox();
    const host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
    await host.close();
    await host.close();
    const attempts = [
      host.call("raw", "echo", { text: "hi" }),
      host.tools(PATIENTLY),
      host.tools("raw"),
      host.doctor.test("raw"),
      host.connect("raw"),
      host.connectAll(),
      host.reload(),
      host.approvals.approve("raw", ""),
    ];
    const closed = { code: "HOST_CLOSED", message: "This host is closed." };
    expect(await Promise.all(attempts.map(failureOf))).toEqual(attempts.map(() => closed));
    expect(host.servers().map(({ name, state }) => [name, state])).toEqual([["raw", "idle"]]);
  });

  test("happens automatically at the end of `await using`", async () => {
    await using sandbox = await createSandbox();
    let pid = 0;
    {
      await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
      pid = await pidOf(host, "raw");
      expect(await isRunning(pid)).toBe(true);
    }
    expect(await isRunning(pid)).toBe(false);
  });

  test("differs from closing one server, which leaves the others and is undone by the next call", async () => {
    await using sandbox = await createSandbox();
    const servers = { one: stdioServer("raw-server.mjs"), two: stdioServer("raw-server.mjs") };
    await using host = await hostIn(sandbox, { servers });
    const [one, two] = [await pidOf(host, "one"), await pidOf(host, "two")];
    const events = eventsOf(host);
    await host.close("one");
    expect(events).toEqual([{ type: "server.state", server: "one", state: "idle" }]);
    expect([await isRunning(one), await isRunning(two)]).toEqual([false, true]);
    expect(await pidOf(host, "two")).toBe(two);
    expect(await pidOf(host, "one")).not.toBe(one);
  });
});
