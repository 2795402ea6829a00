import { expect, test } from "vitest";
import type { ServerOptions } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn, PATIENTLY } from "./host-in.ts";

const CONFIG = ".plugboard/mcp.json";

test("a server in the user's file becomes a callable tool", async () => {
  await using sandbox = await createSandbox();
  const file = await sandbox.writeHome(CONFIG, { mcpServers: { raw: stdioServer("raw-server.mjs") } });
  await using host = await hostIn(sandbox);
  const [echo] = await host.tools(PATIENTLY);
  expect(echo?.name).toBe("mcp_raw_echo");
  expect(await echo?.execute({ text: "from a file" })).toEqual({
    text: "from a file",
    parts: [{ type: "text", text: "from a file" }],
    isError: false,
    details: {
      serverName: "raw",
      mcpToolName: "echo",
      provider: "plugboard",
      source: { tool: "plugboard", scope: "user", tier: "user", file, line: 3, column: 5 },
    },
  });
});

test.each(["mcp.json", ".mcp.json"])(
  "a server that only the root %s defines is usable once it is approved",
  async (name) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeProject(name, { mcpServers: { raw: stdioServer("raw-server.mjs") } });
    await using host = await hostIn(sandbox);
    expect(host.servers()).toMatchObject([{ name: "raw", state: "untrusted", source: { file } }]);
    await host.approvals.approve("raw", host.approvals.request("raw").hash);
    expect(await host.call("raw", "echo", { text: "from the root" })).toMatchObject({
      text: "from the root",
    });
  },
);

test("the transport is the declared one, or else inferred from the other fields", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, {
    servers: {
      command: { command: "x" },
      url: { url: "https://host/mcp" },
      sse: { type: "sse", url: "https://host/sse" },
      nothing: {} as ServerOptions,
    },
  });
  expect(
    host.servers().map(({ name, transport, state, problems }) => ({
      name,
      transport,
      state,
      problems: problems.map(({ code }) => code),
    })),
  ).toEqual([
    { name: "command", transport: "stdio", state: "idle", problems: [] },
    { name: "url", transport: "http", state: "idle", problems: ["transport-inferred"] },
    { name: "sse", transport: "sse", state: "idle", problems: [] },
    { name: "nothing", transport: "stdio", state: "invalid", problems: ["command-missing"] },
  ]);
});

test("every transport takes `enabled` and `timeout`", async () => {
  await using sandbox = await createSandbox();
  await using web = await startHttpServer();
  const off = { enabled: false, timeout: 5_000 };
  const slow = { timeout: 500, startupTimeout: 30_000 };
  await using host = await hostIn(sandbox, {
    servers: {
      offline: { ...stdioServer("tools-server.mjs"), ...off },
      offweb: { type: "http", url: web.url, ...off },
      local: { ...stdioServer("tools-server.mjs"), ...slow },
      web: { type: "http", url: web.url, ...slow },
    },
  });
  for (const name of ["offline", "offweb"]) {
    expect(await failureOf(host.connect(name))).toMatchObject({ code: "SERVER_DISABLED", server: name });
  }
  for (const name of ["local", "web"]) {
    await host.connect(name);
    expect(await failureOf(host.call(name, "slow", { ms: 60_000 }))).toMatchObject({
      message: `Tool execution failed: "${name}" did not answer within 500 ms`,
    });
  }
});

test("a server that the program defines takes precedence over one with the same name in a file", async () => {
  await using sandbox = await createSandbox();
  const file = await sandbox.writeHome(CONFIG, {
    mcpServers: { raw: { command: "of-the-file" }, other: { command: "other" } },
  });
  await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
  expect(host.servers().map(({ name, source }) => [name, source.file])).toEqual([
    ["raw", "createHost({ servers })"],
    ["other", file],
  ]);
  expect(host.servers()[0]?.shadows).toMatchObject([{ file, scope: "user" }]);
  expect(await host.call("raw", "echo", { text: "mine" })).toMatchObject({ text: "mine" });
});

test("without discovery, only the program's servers are available", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(CONFIG, { mcpServers: { found: { command: "x" } } });
  await sandbox.writeProject(".mcp.json", "{ half");
  const env = { ...sandbox.env(), PLUGBOARD_MCP_CONFIG_JSON: '{"mcpServers":{"inline":{"command":"y"}}}' };
  const servers = { given: stdioServer("raw-server.mjs") };
  await using host = await hostIn(sandbox, { env, servers, discover: false });
  expect(host.snapshot()).toMatchObject({ servers: [{ name: "given" }], problems: [] });
  expect(host.snapshot().servers).toHaveLength(1);
});

test("a reload finds new servers, and stops changed and removed ones", async () => {
  await using sandbox = await createSandbox();
  const raw = stdioServer("raw-server.mjs");
  await sandbox.writeHome(CONFIG, { mcpServers: { stays: raw, changes: raw, goes: raw } });
  await using host = await hostIn(sandbox);
  const pidOf = async (server: string): Promise<string> => (await host.call(server, "pid")).text;
  const before = { stays: await pidOf("stays"), changes: await pidOf("changes") };
  await host.connect("goes");

  const changed = stdioServer("raw-server.mjs", ["--behave", "noise"]);
  await sandbox.writeHome(CONFIG, { mcpServers: { stays: raw, changes: changed, comes: raw } });
  await host.reload();

  expect(host.servers().map(({ name, state }) => `${name} ${state}`)).toEqual([
    "stays connected",
    "changes connecting",
    "comes idle",
  ]);
  expect(await pidOf("stays")).toBe(before.stays);
  expect(await pidOf("changes")).not.toBe(before.changes);
});

test("the listed launch shows names of env and headers, never their values", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, {
    servers: {
      local: { command: "run", args: ["--api-key", "sk-12345", "plain"], env: { KEY: "hidden" }, cwd: "sub" },
      web: {
        type: "http",
        url: "https://me:pw@host/mcp?token=abc&x=1",
        headers: { Authorization: "hidden" },
      },
    },
  });
  const listed = host.servers().map(({ command, args, env, cwd, url, headers }) => ({
    ...(command && { command, args, env, cwd }),
    ...(url && { url, headers }),
  }));
  expect(listed).toEqual([
    { command: "run", args: ["--api-key", "[secret]", "plain"], env: ["KEY"], cwd: "sub" },
    { url: "https://me:[secret]@host/mcp?token=[secret]&x=1", headers: ["Authorization"] },
  ]);
});
