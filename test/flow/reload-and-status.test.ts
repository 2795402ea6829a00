import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { statusOf } from "../../src/compat/index.ts";
import type { Host, ServerOptions } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";
import { eventsOf, failureOf, hostIn, isRunning, PATIENTLY } from "./host-in.ts";

const CONFIG = ".plugboard/mcp.json";

async function pidOf(host: Host, server: string): Promise<number> {
  return Number((await host.call(server, "pid")).text);
}

describe("a reload", () => {
  test("restarts a server that changed while it was in use, and no other", async () => {
    await using sandbox = await createSandbox();
    const raw = stdioServer("raw-server.mjs");
    const servers = { stays: raw, changes: raw, unused: raw };
    await sandbox.writeHome(CONFIG, { mcpServers: servers });
    await using host = await hostIn(sandbox);
    const before = { stays: await pidOf(host, "stays"), changes: await pidOf(host, "changes") };
    const changed = stdioServer("raw-server.mjs", ["--behave", "noise"]);
    await sandbox.writeHome(CONFIG, { mcpServers: { ...servers, changes: changed, unused: changed } });
    await host.reload();
    expect(await isRunning(before.changes)).toBe(false);
    expect(host.servers().map(({ name, state }) => `${name} ${state}`)).toEqual([
      "stays connected",
      "changes connecting",
      "unused idle",
    ]);
    expect(await pidOf(host, "stays")).toBe(before.stays);
  });

  test("applies the current settings, but keeps the program's own", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { mine: { command: "x" } } });
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { theirs: { command: "x" } } });
    await using host = await hostIn(sandbox, { settings: { parallelStarts: 2 } });
    await sandbox.writeHome(".plugboard/settings.json", {
      providers: { cursor: false },
      parallelStarts: 7,
      timeoutMs: 40_000,
      resultChars: "many",
    });
    await host.reload();
    expect(host.servers().map(({ name }) => name)).toEqual(["mine"]);
    expect(host.config.settings()).toMatchObject({
      parallelStarts: 2,
      timeoutMs: 40_000,
      resultChars: 100_000,
    });
    expect((await host.config.explain("mine")).reasons).toContain(
      `call timeout: 40000 ms ("timeoutMs" in Plugboard's settings)`,
    );
    expect(host.snapshot().problems.map(({ code }) => code)).toEqual(["settings-invalid"]);
  });

  test("does not rename a session's tools", async () => {
    await using sandbox = await createSandbox();
    const raw = stdioServer("raw-server.mjs");
    await sandbox.writeHome(CONFIG, { mcpServers: { raw } });
    await using host = await hostIn(sandbox);
    const session = host.session();
    const before = (await session.tools(PATIENTLY)).map(({ name }) => name);
    await sandbox.writeHome(".plugboard/settings.json", { naming: "claude" });
    await sandbox.writeHome(CONFIG, { mcpServers: { raw: { ...raw, env: { OTHER: "1" } } } });
    await host.reload({ hard: true });
    expect((await session.tools(PATIENTLY)).map(({ name }) => name)).toEqual(before);
    expect((await host.tools(PATIENTLY)).map(({ name }) => name)).not.toEqual(before);
  });

  test("stops a server whose approval was revoked", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(CONFIG, { mcpServers: { raw: stdioServer("raw-server.mjs") } });
    await using host = await hostIn(sandbox);
    await host.approvals.approve("raw", host.approvals.request("raw").hash);
    const pid = await pidOf(host, "raw");
    await rm(join(sandbox.home, ".local", "state", "plugboard"), { recursive: true });
    await host.reload();
    expect(await isRunning(pid)).toBe(false);
    expect(host.servers()[0]?.state).toBe("untrusted");
  });

  test("that starts during another one ends with the latest content", async () => {
    await using sandbox = await createSandbox();
    const raw = stdioServer("raw-server.mjs");
    await using host = await hostIn(sandbox);
    await sandbox.writeHome(CONFIG, { mcpServers: { one: raw } });
    const first = host.reload();
    await sandbox.writeHome(CONFIG, { mcpServers: { two: raw } });
    await Promise.all([first, host.reload()]);
    expect(host.servers().map(({ name }) => name)).toEqual(["two"]);
  });

  test("with `hard` disconnects every server, reads everything again and reconnects the servers that were in use", async () => {
    await using sandbox = await createSandbox();
    const raw = stdioServer("raw-server.mjs");
    const broken = { command: "no-such-program" };
    await sandbox.writeHome(CONFIG, { mcpServers: { used: raw, listed: raw, broken } });
    await using host = await hostIn(sandbox);
    await failureOf(host.connect("broken"));
    const first = await pidOf(host, "used");
    await host.tools("listed");
    await host.close("listed");
    await sandbox.writeHome(CONFIG, { mcpServers: { used: raw, listed: raw, broken, found: raw } });
    const events = eventsOf(host);

    await host.reload({ hard: true });

    expect(await isRunning(first)).toBe(false);
    expect(host.servers().map(({ name, state }) => `${name} ${state}`)).toEqual([
      "used connected",
      "listed idle",
      "broken idle",
      "found idle",
    ]);
    expect(events.at(-1)).toMatchObject({ type: "tools.changed" });
    expect(await pidOf(host, "used")).not.toBe(first);
    // Its list was discarded, so the server is asked again.
    await host.tools("listed");
    expect(host.servers()[1]?.state).toBe("connected");
  });
});

test("the status of every server is one of the seed's five values", async () => {
  await using sandbox = await createSandbox();
  await using closed = await startHttpServer(["--status", "401"]);
  await sandbox.writeProject(CONFIG, { mcpServers: { stranger: { command: "x" } } });
  const raw = stdioServer("raw-server.mjs");
  const servers = {
    up: raw,
    unused: raw,
    off: { ...raw, enabled: false },
    locked: { type: "http", url: closed.url },
    missing: { command: "no-such-program" },
    wrong: { command: "x", url: "http://x.test" } as unknown as ServerOptions,
  } as const;
  await using host = await hostIn(sandbox, { servers });
  await host.connect("up");
  const { message } = await failureOf(host.connect("missing"));
  await failureOf(host.connect("locked"));
  expect(statusOf(host)).toEqual({
    up: { status: "connected" },
    unused: { status: "failed", error: "idle: it starts when it is used", idle: true },
    off: { status: "disabled" },
    locked: { status: "needs_auth" },
    missing: { status: "failed", error: message },
    wrong: { status: "failed", error: expect.stringMatching(/^invalid: .*both "command" and "url"/) },
    stranger: {
      status: "failed",
      error: "untrusted: defined by this project; not approved yet",
    },
  });
});
