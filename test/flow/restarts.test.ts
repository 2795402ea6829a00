import { chmod, rm } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { statusOf } from "../../src/compat/index.ts";
import type { Host, HostEvent } from "../../src/index.ts";
import { createJumpingClock } from "../support/jumping-clock.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventsOf, eventually, failureOf, hostIn, isRunning } from "./host-in.ts";

async function pidOf(host: Host, server: string): Promise<number> {
  return Number((await host.call(server, "pid")).text);
}

function statesIn(events: readonly HostEvent[]): string[] {
  return events.flatMap((event) => (event.type === "server.state" ? [event.state] : []));
}

describe("a server whose connection is lost", () => {
  test("is restarted automatically", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
    const first = await pidOf(host, "raw");
    const events = eventsOf(host);
    process.kill(first, "SIGKILL");
    await eventually(() => expect(statesIn(events)).toEqual(["reconnecting", "reconnecting", "connected"]));
    expect(await pidOf(host, "raw")).not.toBe(first);
  });

  test("shows the time and number of the next attempt, and the reason", async () => {
    await using sandbox = await createSandbox();
    const { clock } = createJumpingClock();
    const ports = { clock: { now: clock.now, after: () => () => {} } }; // no timer ever fires
    await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") }, ports });
    process.kill(await pidOf(host, "raw"), "SIGKILL");
    await eventually(() => expect(host.servers()[0]?.state).toBe("reconnecting"));
    expect(host.servers()[0]).toMatchObject({
      because: expect.stringMatching(/^the process of "raw" was killed by SIGKILL/),
      errorCode: "CONNECTION_LOST",
      attempt: 1,
      nextTry: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(statusOf(host)).toEqual({
      raw: { status: "failed", error: expect.stringMatching(/^reconnecting \(attempt 1\): the process/) },
    });
  });

  test("is not restarted after five restarts within five minutes, until it is used again", async () => {
    await using sandbox = await createSandbox();
    const raw = stdioServer("raw-server.mjs", ["--behave", "exit-after-init"]);
    const { clock, jump } = createJumpingClock();
    await using host = await hostIn(sandbox, { servers: { raw }, ports: { clock } });
    const events = eventsOf(host);
    host.subscribe((event) => {
      const waits = event.type === "server.state" && event.state === "reconnecting";
      if (waits && event.nextTry !== undefined) jump(30_000);
    });
    await host.connect("raw");
    await eventually(() => expect(host.servers()[0]?.state).toBe("failed"));
    const planned = events.flatMap((event) =>
      event.type === "server.state" && event.state === "reconnecting" && event.nextTry ? [event.attempt] : [],
    );
    expect(planned).toEqual([1, 2, 3, 4, 5]);
    expect(host.servers()[0]).toMatchObject({
      because: expect.stringContaining(
        '"raw" was restarted 5 times within 5 minutes and will not be restarted again; last error: ',
      ),
      hint: "Test the server to see the problem. Its next use starts it again.",
    });

    events.length = 0;
    await host.connect("raw");
    expect(statesIn(events).slice(0, 2)).toEqual(["connecting", "connected"]);
  });

  test("is not retried if its command no longer exists", async () => {
    await using sandbox = await createSandbox();
    const { command: node, args } = stdioServer("raw-server.mjs");
    const command = await sandbox.writeHome("server", `#!/bin/sh\nexec "${node}" "${args[0]}"\n`);
    await chmod(command, 0o755);
    await using host = await hostIn(sandbox, { servers: { raw: { command } } });
    const pid = await pidOf(host, "raw");
    const events = eventsOf(host);
    await rm(command);
    process.kill(pid, "SIGKILL");
    await eventually(() => expect(statesIn(events)).toEqual(["reconnecting", "reconnecting", "failed"]));
    expect(host.servers()[0]).toMatchObject({ errorCode: "CONNECT_COMMAND_NOT_FOUND" });
  });
});

describe("a server that was never connected", () => {
  test("is retried only by its next use", async () => {
    await using sandbox = await createSandbox();
    const raw = stdioServer("raw-server.mjs", ["--behave", "exit"]);
    const { clock, jump } = createJumpingClock();
    await using host = await hostIn(sandbox, { servers: { raw }, ports: { clock } });
    const events = eventsOf(host);
    await failureOf(host.connect("raw"));
    jump(600_000);
    expect(statesIn(events)).toEqual(["connecting", "failed"]);
    await failureOf(host.connect("raw"));
    expect(statesIn(events)).toEqual(["connecting", "failed", "connecting", "failed"]);
  });
});

describe("idleStopMs", () => {
  test("stops an unused server; its tools stay known and its next use starts it", async () => {
    await using sandbox = await createSandbox();
    const { clock, jump } = createJumpingClock();
    const raw = { ...stdioServer("raw-server.mjs"), idleStopMs: 10_000 };
    await using host = await hostIn(sandbox, { servers: { raw }, ports: { clock } });
    const first = await pidOf(host, "raw");
    jump(10_000);
    await eventually(() => expect(host.servers()[0]?.state).toBe("idle"));
    await eventually(async () => expect(await isRunning(first)).toBe(false));
    expect((await host.tools("raw")).map(({ tool }) => tool)).toEqual(["echo", "pid"]);
    expect(host.servers()[0]?.state).toBe("idle");
    expect(await pidOf(host, "raw")).not.toBe(first);
  });

  test("does not count while a request is being answered", async () => {
    await using sandbox = await createSandbox();
    const { clock, jump } = createJumpingClock();
    const tools = { ...stdioServer("tools-server.mjs"), idleStopMs: 1_000 };
    await using host = await hostIn(sandbox, { servers: { tools }, ports: { clock } });
    const stop = new AbortController();
    let call: Promise<unknown> | undefined;
    await new Promise<void>((started) => {
      const options = { onProgress: () => started(), signal: stop.signal };
      call = host.call("tools", "slow", { ms: 60_000 }, options).catch(() => "aborted");
    });
    const events = eventsOf(host);
    jump(5_000);
    await host.call("tools", "echo", { text: "still there" });
    expect(events).toEqual([]);
    stop.abort();
    expect(await call).toBe("aborted");
    jump(1_000);
    await eventually(() => expect(statesIn(events)).toEqual(["idle"]));
  });

  test.each(["legacy", "modern"])(
    "does not count while a listener is subscribed to a resource of a %s server",
    async (era) => {
      await using sandbox = await createSandbox();
      const { clock, jump } = createJumpingClock();
      const notes = { ...stdioServer("notes-server.mjs", ["--era", era]), idleStopMs: 10_000 };
      await using host = await hostIn(sandbox, { servers: { notes }, ports: { clock } });
      const events = eventsOf(host);
      const leave = await host.resources.subscribe("notes", "note://first", () => {});
      await failureOf(host.call("notes", "leave")); // a renewed subscription also counts
      await host.connect("notes");
      events.length = 0;
      for (const _ of [1, 2, 3]) {
        jump(10_000);
        await new Promise((resolve) => setTimeout(resolve, 20)); // due timers fire
      }
      expect(statesIn(events)).toEqual([]);
      await leave();
      jump(10_000);
      await eventually(() => expect(statesIn(events)).toEqual(["idle"]));
    },
  );
});

describe("eager", () => {
  const eager = { ...stdioServer("raw-server.mjs"), eager: true };

  test("starts a server with the host, and no other", async () => {
    await using sandbox = await createSandbox();
    const servers = { eager, lazy: stdioServer("raw-server.mjs") };
    await using host = await hostIn(sandbox, { servers });
    await eventually(() => expect(host.servers()[0]?.state).toBe("connected"));
    expect(host.servers()[1]?.state).toBe("idle");
  });

  test("delays no other operation", async () => {
    await using sandbox = await createSandbox();
    const hangs = { ...stdioServer("raw-server.mjs", ["--behave", "hang"]), eager: true };
    await using host = await hostIn(sandbox, { servers: { hangs } });
    expect(statusOf(host)).toEqual({
      hangs: { status: "failed", error: "connecting: it has not answered yet" },
    });
  });

  test("does not bypass approval", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { eager } });
    await using host = await hostIn(sandbox);
    const events = eventsOf(host);
    expect(host.servers()[0]?.state).toBe("untrusted");
    const { hash } = host.approvals.request("eager");
    expect(events).toEqual([]);
    await host.approvals.approve("eager", hash);
    await eventually(() => expect(host.servers()[0]?.state).toBe("connected"));
  });

  test("can be disabled by the program", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { eager }, eager: false });
    expect(host.servers()[0]?.state).toBe("idle");
  });
});
