import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentTool, HostOptions, ServerOptions } from "../../src/index.ts";
import { createManualClock } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { type StdioEntry, stdioServer } from "../support/test-servers.ts";
import { eventsOf, eventually, failureOf, hostIn, PATIENTLY } from "./host-in.ts";

const names = (tools: readonly AgentTool[]): string[] => tools.map(({ tool }) => tool);

/** A program in the sandbox that runs the given server, and can be replaced later. */
async function replaceable(sandbox: Sandbox, { command, args }: StdioEntry): Promise<ServerOptions> {
  const program = join(sandbox.project, "server.sh");
  await writeFile(program, `#!/bin/sh\nexec ${[command, ...args].join(" ")}\n`);
  await chmod(program, 0o755);
  return { command: program };
}

/** Returns what a later run at that time reports about the cached tools. */
async function isStale(sandbox: Sandbox, options: HostOptions, now: number): Promise<boolean | undefined> {
  const clock = { ...createManualClock(now), after: realTimer };
  await using host = await hostIn(sandbox, { ...options, ports: { clock } });
  return (await host.tools(PATIENTLY))[0]?.stale;
}

describe("cached tools", () => {
  test("show when an earlier run read them, until they are read again", async () => {
    await using sandbox = await createSandbox();
    const servers = { raw: stdioServer("raw-server.mjs") };
    const cachedAt = (tools: readonly AgentTool[]) => tools.map((tool) => tool.cachedAt);
    const clock = { ...createManualClock(5_000), after: realTimer };
    {
      await using host = await hostIn(sandbox, { servers, ports: { clock } });
      expect(cachedAt(await host.tools(PATIENTLY))).toEqual([undefined, undefined]);
    }
    await using later = await hostIn(sandbox, { servers });
    expect(cachedAt(await later.tools(PATIENTLY))).toEqual([5_000, 5_000]);
    await later.tools("raw", { refresh: true });
    expect(cachedAt(await later.tools(PATIENTLY))).toEqual([undefined, undefined]);
  });

  test("are returned without starting the server", async () => {
    await using sandbox = await createSandbox();
    const raw = await replaceable(sandbox, stdioServer("raw-server.mjs"));
    {
      await using host = await hostIn(sandbox, { servers: { raw } });
      expect(names(await host.tools(PATIENTLY))).toEqual(["echo", "pid"]);
    }
    await writeFile(join(sandbox.project, "server.sh"), "#!/bin/sh\nexit 1\n");

    await using later = await hostIn(sandbox, { servers: { raw } });
    expect(names(await later.tools(PATIENTLY))).toEqual(["echo", "pid"]);
    expect(names(await later.tools("raw"))).toEqual(["echo", "pid"]);
    expect((await later.session().tools(PATIENTLY)).map(({ tool }) => tool)).toEqual(["echo", "pid"]);
    expect(later.servers()[0]?.state).toBe("idle");

    expect(await failureOf(later.tools("raw", { refresh: true }))).toMatchObject({ code: "CONNECT_EXITED" });
    expect(names(await later.tools(PATIENTLY))).toEqual(["echo", "pid"]);
  });

  test("connect to their server when they are called", async () => {
    await using sandbox = await createSandbox();
    const servers = { raw: stdioServer("raw-server.mjs") };
    {
      await using host = await hostIn(sandbox, { servers });
      await host.tools(PATIENTLY);
    }
    await using later = await hostIn(sandbox, { servers });
    const echo = (await later.tools(PATIENTLY)).find(({ tool }) => tool === "echo");
    expect(later.servers()[0]?.state).toBe("idle");
    expect(await echo?.execute({ text: "here I am" })).toMatchObject({ text: "here I am", isError: false });
    expect(later.servers()[0]?.state).toBe("connected");
  });

  test("refuse invalid arguments without starting the server, unless they are stale", async () => {
    await using sandbox = await createSandbox();
    const servers = { raw: stdioServer("raw-server.mjs") };
    {
      await using host = await hostIn(sandbox, { servers });
      await host.tools(PATIENTLY);
    }
    await using later = await hostIn(sandbox, { servers });
    const events = eventsOf(later);
    expect(await failureOf(later.call("raw", "echo", { txet: "hi" }))).toMatchObject({
      code: "TOOL_ARGUMENTS_INVALID",
    });
    expect({ events, state: later.servers()[0]?.state }).toEqual({ events: [], state: "idle" });

    await using stale = await hostIn(sandbox, { servers, toolsTtlMs: 0 });
    await failureOf(stale.call("raw", "echo", { txet: "hi" }));
    expect(stale.servers()[0]?.state).not.toBe("idle");
  });

  test("are fresh for the time in the server's entry, which overrides the host's", async () => {
    await using sandbox = await createSandbox();
    const servers = { raw: { ...stdioServer("raw-server.mjs"), toolsTtlMs: 60_000 } };
    const now = Date.now();
    {
      await using host = await hostIn(sandbox, { servers, toolsTtlMs: 1 });
      await host.tools(PATIENTLY);
    }
    const staleAt = (ms: number): Promise<boolean | undefined> =>
      isStale(sandbox, { servers, toolsTtlMs: 1 }, now + ms);
    expect([await staleAt(50_000), await staleAt(90_000)]).toEqual([false, true]);
  });

  test("are fresh for an hour by default", async () => {
    await using sandbox = await createSandbox();
    const servers = { raw: stdioServer("raw-server.mjs") };
    const now = Date.now();
    {
      await using host = await hostIn(sandbox, { servers });
      await host.tools(PATIENTLY);
    }
    const staleAt = (ms: number): Promise<boolean | undefined> => isStale(sandbox, { servers }, now + ms);
    expect([await staleAt(3_590_000), await staleAt(3_700_000)]).toEqual([false, true]);
  });

  test("of another launch are not returned", async () => {
    await using sandbox = await createSandbox();
    {
      await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
      expect(names(await host.tools("raw"))).toEqual(["echo", "pid"]);
    }
    const other = stdioServer("raw-server.mjs", ["--behave", "pages"]);
    await using later = await hostIn(sandbox, { servers: { raw: other } });
    expect(names(await later.tools("raw"))).toEqual(["echo", "on_page_2", "on_page_3", "pid"]);
  });

  test("are read again on request", async () => {
    await using sandbox = await createSandbox();
    const raw = await replaceable(sandbox, stdioServer("raw-server.mjs"));
    {
      await using host = await hostIn(sandbox, { servers: { raw } });
      await host.tools(PATIENTLY);
    }
    await replaceable(sandbox, stdioServer("raw-server.mjs", ["--behave", "pages"]));
    await using later = await hostIn(sandbox, { servers: { raw } });
    expect(names(await later.tools("raw", { refresh: true }))).toHaveLength(4);
    expect(names(await later.tools(PATIENTLY))).toHaveLength(4);
  });

  test("are read again when a call names an unknown tool", async () => {
    await using sandbox = await createSandbox();
    const raw = await replaceable(sandbox, stdioServer("raw-server.mjs"));
    {
      await using host = await hostIn(sandbox, { servers: { raw } });
      await host.tools(PATIENTLY);
    }
    await replaceable(sandbox, stdioServer("raw-server.mjs", ["--behave", "pages"]));
    await using later = await hostIn(sandbox, { servers: { raw } });
    expect(await later.call("raw", "on_page_3")).toMatchObject({ text: "on_page_3" });
  });

  test("are marked as stale when they expire, still returned, and read again at the next connection", async () => {
    await using sandbox = await createSandbox();
    const raw = await replaceable(sandbox, stdioServer("raw-server.mjs"));
    const settings = { toolsTtlMs: 60_000 };
    const now = Date.now();
    {
      await using host = await hostIn(sandbox, { servers: { raw }, settings });
      expect((await host.tools(PATIENTLY)).map(({ stale }) => stale)).toEqual([false, false]);
    }
    await replaceable(sandbox, stdioServer("raw-server.mjs", ["--behave", "pages"]));

    const clock = { ...createManualClock(now + 120_000), after: realTimer };
    await using later = await hostIn(sandbox, { servers: { raw }, settings, ports: { clock } });
    expect((await later.tools(PATIENTLY)).map(({ tool, stale }) => [tool, stale])).toEqual([
      ["echo", true],
      ["pid", true],
    ]);
    expect(later.servers()[0]?.state).toBe("idle");

    await later.connect("raw");
    await eventually(async () =>
      expect((await later.tools(PATIENTLY)).map(({ tool, stale }) => [tool, stale])).toEqual([
        ["echo", false],
        ["on_page_2", false],
        ["on_page_3", false],
        ["pid", false],
      ]),
    );
  });
});

function realTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

describe("a server that announces changed tools", () => {
  const growing = stdioServer("raw-server.mjs", ["--behave", "list-changed"]);

  test("has its tools read again, and the change is published", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { raw: growing } });
    expect(names(await host.tools(PATIENTLY))).toEqual(["echo", "grow", "pid"]);
    const events = eventsOf(host);

    await host.call("raw", "grow");

    await eventually(async () =>
      expect(names(await host.tools(PATIENTLY))).toEqual(["echo", "grow", "grown_1", "pid"]),
    );
    expect(events.slice(0, 2)).toEqual([
      { type: "catalog.changed", server: "raw", kind: "tools", revision: 2 },
      { type: "tools.changed", server: "raw" },
    ]);
    expect(events.slice(2)).toMatchObject([
      {
        type: "problem",
        problem: { code: "tool-changed", message: expect.stringContaining('"grown_1" is new') },
      },
    ]);
    expect(await host.call("raw", "grown_1")).toMatchObject({ text: "grown_1" });
  });

  test("is noticed even if its tools came from the cache", async () => {
    await using sandbox = await createSandbox();
    {
      await using host = await hostIn(sandbox, { servers: { raw: growing } });
      await host.tools(PATIENTLY);
    }
    await using later = await hostIn(sandbox, { servers: { raw: growing } });
    await later.call("raw", "grow");
    await eventually(async () =>
      expect(names(await later.tools(PATIENTLY))).toEqual(["echo", "grow", "grown_1", "pid"]),
    );
  });

  test("many times in a row ends up with its latest tools", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { raw: growing } });
    await host.tools(PATIENTLY);
    await Promise.all(Array.from({ length: 10 }, () => host.call("raw", "grow")));
    await eventually(async () => expect(await host.tools(PATIENTLY)).toHaveLength(13));
  });

  test("but changed nothing causes no event", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
    await host.tools(PATIENTLY);
    const events = eventsOf(host);
    await host.tools("raw", { refresh: true });
    await host.doctor.test("raw");
    expect(events.filter(({ type }) => type !== "server.state")).toEqual([]);
  });
});
