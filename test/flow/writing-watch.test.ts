import { rm, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { Host, HostOptions } from "../../src/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { createManualClock } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventsOf, eventually, hostIn } from "./host-in.ts";

const CONFIG = ".plugboard/mcp.json";

interface Watching extends AsyncDisposable {
  readonly host: Host;
  /** Moves the clock by seconds until the expectation holds. */
  sees(check: () => void): Promise<void>;
}

/** A host that watches files, with a clock that only the test moves. */
async function watching(
  sandbox: Sandbox,
  { ports, env }: Pick<HostOptions, "ports" | "env"> = {},
): Promise<Watching> {
  const clock = createManualClock();
  const host = await hostIn(sandbox, { env: { ...sandbox.env(), ...env }, ports: { clock, ...ports } });
  host.config.watch();
  const sees = (check: () => void): Promise<void> =>
    eventually(() => {
      clock.advance(1_000);
      check();
    });
  return {
    host,
    sees,
    async [Symbol.asyncDispose]() {
      let closed = false;
      const closing = host.close().then(() => (closed = true));
      await sees(() => expect(closed).toBe(true));
      await closing;
    },
  };
}

const names = (host: Host): string[] => host.servers().map(({ name }) => name);

describe("a host that watches", () => {
  test("sees added, changed and removed servers", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, { mcpServers: { a: { command: "one" } } });
    await using watched = await watching(sandbox);
    const { host, sees } = watched;
    await sandbox.writeHome(CONFIG, { mcpServers: { a: { command: "one" }, b: { command: "two" } } });
    await sees(() => expect(names(host)).toEqual(["a", "b"]));
    await sandbox.writeHome(CONFIG, { mcpServers: { a: { command: "other" }, b: { command: "two" } } });
    await sees(() => expect(host.servers().map(({ command }) => command)).toEqual(["other", "two"]));
    await rm(file);
    await sees(() => expect(names(host)).toEqual([]));
  });

  test.each([
    ["a native file", CONFIG, "home"],
    ["a project's native file", CONFIG, "project"],
    ["another tool's file", ".cursor/mcp.json", "home"],
    ["a file in a folder of any name", ".config/Code/User/profiles/abc/mcp.json", "home"],
  ] as const)("sees %s that appears later", async (_, file, where) => {
    await using sandbox = await createSandbox();
    await using watched = await watching(sandbox);
    const content = {
      [file.includes("Code") ? "servers" : "mcpServers"]: { late: { type: "stdio", command: "x" } },
    };
    await (where === "home" ? sandbox.writeHome(file, content) : sandbox.writeProject(file, content));
    await watched.sees(() => expect(names(watched.host)).toEqual(["late"]));
  });

  test("sees a change of the settings", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { theirs: { command: "x" } } });
    await using watched = await watching(sandbox);
    await sandbox.writeHome(".plugboard/settings.json", { providers: { cursor: false }, timeoutMs: 5 });
    await watched.sees(() => expect(names(watched.host)).toEqual([]));
    expect(watched.host.config.settings().timeoutMs).toBe(5);
  });

  test("sees a change of the file that a variable names", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeProject("given.json", { mcpServers: { a: { command: "x" } } });
    await using watched = await watching(sandbox, { env: { PLUGBOARD_MCP_CONFIG_PATH: file } });
    await sandbox.writeProject("given.json", { mcpServers: { a: { command: "x" }, b: { command: "x" } } });
    await watched.sees(() => expect(names(watched.host)).toEqual(["a", "b"]));
  });

  test("sees an approval by another host", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(CONFIG, { mcpServers: { theirs: { command: "x" } } });
    await using watched = await watching(sandbox);
    await using elsewhere = await hostIn(sandbox);
    await elsewhere.approvals.approve("theirs", elsewhere.approvals.request("theirs").hash);
    await watched.sees(() => expect(watched.host.servers().map(({ state }) => state)).toEqual(["idle"]));
  });

  test("closes the connections to changed servers, and no others", async () => {
    await using sandbox = await createSandbox();
    const steady = stdioServer("raw-server.mjs");
    const changing = stdioServer("raw-server.mjs", [], { VERSION: "1" });
    await sandbox.writeHome(CONFIG, { mcpServers: { steady, changing } });
    await using watched = await watching(sandbox);
    const { host, sees } = watched;
    await host.connect("steady");
    await host.connect("changing");
    const events = eventsOf(host);
    await sandbox.writeHome(CONFIG, {
      mcpServers: { steady, changing: { ...changing, env: { VERSION: "2" } } },
    });
    const came = (): string[] =>
      events.flatMap((event) => (event.type === "server.state" ? [`${event.server} ${event.state}`] : []));
    await sees(() => expect(came()).toContain("changing connected")); // it was in use, so it is connected again
    expect(came()).toContain("changing idle");
    expect(host.servers().map(({ name, state }) => [name, state])).toEqual([
      ["steady", "connected"],
      ["changing", "connected"],
    ]);
    expect(new Set(events.map((event) => ("server" in event ? event.server : "")))).toEqual(
      new Set(["changing"]),
    );
    expect(await host.call("steady", "echo", { text: "still here" })).toMatchObject({ text: "still here" });
  });

  test("keeps other files' servers while one file is incomplete", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { steady: stdioServer("raw-server.mjs") } });
    const file = await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { theirs: { command: "x" } } });
    await using watched = await watching(sandbox);
    const { host, sees } = watched;
    await host.connect("steady");
    await writeFile(file, '{ "mcpServers": { "theirs": ');
    await sees(() => expect(host.snapshot().problems.map(({ code }) => code)).toEqual(["file-syntax"]));
    expect(host.servers().map(({ name, state }) => [name, state])).toEqual([["steady", "connected"]]);
    await writeFile(file, '{ "mcpServers": { "theirs": { "command": "x" } } }');
    await sees(() => expect(names(host)).toEqual(["steady", "theirs"]));
  });

  test("sees changes between its start and the first check", async () => {
    await using sandbox = await createSandbox();
    const clock = createManualClock();
    await using host = await hostIn(sandbox, { ports: { clock } });
    await sandbox.writeHome(CONFIG, { mcpServers: { early: { command: "x" } } });
    host.config.watch();
    await eventually(() => {
      clock.advance(1_000);
      expect(names(host)).toEqual(["early"]);
    });
  });

  test("sees a second change that happens while it reads the first", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, { mcpServers: { a: { command: "x" } } });
    const { files } = nodePorts();
    let interrupt = async (): Promise<void> => {};
    const read = async (path: string): Promise<Uint8Array | undefined> => {
      const bytes = await files.read(path);
      if (path === file && new TextDecoder().decode(bytes).includes('"b"')) {
        const now = interrupt;
        interrupt = async () => {};
        await now();
      }
      return bytes;
    };
    await using watched = await watching(sandbox, { ports: { files: { ...files, read } } });
    interrupt = () => writeFile(file, '{ "mcpServers": { "c": { "command": "x" } } }');
    await writeFile(file, '{ "mcpServers": { "b": { "command": "x" } } }');
    await watched.sees(() => expect(names(watched.host)).toEqual(["c"]));
  });

  test("approves nothing", async () => {
    await using sandbox = await createSandbox();
    await using watched = await watching(sandbox);
    await sandbox.writeProject(CONFIG, { mcpServers: { theirs: { command: "x" } } });
    await watched.sees(() => expect(watched.host.servers().map(({ state }) => state)).toEqual(["untrusted"]));
  });
});

test.each<[string, (host: Host, stop: () => void) => void | Promise<void>]>([
  ["its answer", (_, stop) => stop()],
  ["closing the host", (host) => host.close()],
])("watching is ended by %s", async (_, end) => {
  await using sandbox = await createSandbox();
  const clock = createManualClock();
  await using host = await hostIn(sandbox, { ports: { clock } });
  const stop = host.config.watch();
  await end(host, stop);
  await sandbox.writeHome(CONFIG, { mcpServers: { late: { command: "x" } } });
  const { revision } = host.snapshot();
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([host.snapshot().revision, names(host)]).toEqual([revision, []]);
});

test("a changed file that cannot be read once is read the next time", async () => {
  await using sandbox = await createSandbox();
  const file = await sandbox.writeHome(CONFIG, { mcpServers: { a: { command: "one" } } });
  const { files } = nodePorts();
  let failures = 0;
  let reads = 0;
  const read: typeof files.read = (path) => {
    if (path === file) reads += 1;
    if (path !== file || failures === 0) return files.read(path);
    failures -= 1;
    return Promise.reject(Object.assign(new Error("EIO: no"), { code: "EIO" }));
  };
  await using watched = await watching(sandbox, { ports: { files: { ...files, read } } });
  await watched.sees(() => expect(reads).toBeGreaterThan(1)); // the first check reads them again
  failures = 1;
  await sandbox.writeHome(CONFIG, { mcpServers: { a: { command: "one" }, b: { command: "two" } } });
  await watched.sees(() => expect(names(watched.host)).toContain("b"));
});
