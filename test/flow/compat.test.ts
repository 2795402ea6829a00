import { describe, expect, test } from "vitest";
import {
  discoverAndLoadMCPTools,
  loadAllMCPConfigs,
  MCPManager,
  McpClientManager,
  type McpServerConfig,
  ToolRegistry,
} from "../../src/compat/index.ts";
import { createHost, type ServerOptions } from "../../src/index.ts";
import { type ServeHttpOptions, type ServerScript, serveHttp } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf } from "./host-in.ts";

const SCRIPT: ServerScript = {
  name: "scripted",
  version: "1.0.0",
  tools: {
    read: {
      description: "Reads.",
      run: () => ({ content: [{ type: "text", text: "3" }], structuredContent: { sum: 3 } }),
    },
    write: { run: () => "wrote it" },
  },
  resources: { "note://a": { name: "a", text: "a note" } },
  prompts: { greet: { arguments: [{ name: "who" }], text: ({ who }) => `Hello ${String(who)}` } },
};

async function counted() {
  const methods: string[] = [];
  const guard: ServeHttpOptions["guard"] = (request) => {
    methods.push(request.method ?? "");
    return undefined;
  };
  const server = await serveHttp(SCRIPT, { guard });
  return { url: server.url, methods, [Symbol.asyncDispose]: () => server.close() };
}
const inSandbox = (sandbox: Sandbox) => ({ env: sandbox.env(), home: sandbox.home });

describe("the seeds' headless API", () => {
  test("discoverAndLoadMCPTools returns tools, each server's error, and the connected servers", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".omp/mcp.json", {
      mcpServers: {
        good: stdioServer("raw-server.mjs"),
        bad: { command: "no-such-program" },
        off: { command: "x", enabled: false },
        both: { command: "x", url: "http://x" },
      },
    });
    await sandbox.writeProject(".mcp.json", { mcpServers: { stranger: { command: "no-such-program" } } });
    const loaded = await discoverAndLoadMCPTools(sandbox.project, inSandbox(sandbox));
    try {
      expect(loaded.connectedServers).toEqual(["good"]);
      expect(loaded.tools[0]).toMatchObject({ path: "mcp:good", resolvedPath: "mcp:mcp_good_echo" });
      expect(await loaded.tools[0]?.tool.execute({ text: "hi" })).toMatchObject({ text: "hi" });
      const errors = Object.fromEntries(loaded.errors.map(({ path, error }) => [path, error]));
      expect(Object.keys(errors).sort()).toEqual(["mcp:bad", "mcp:both", "mcp:stranger"]);
      expect(errors["mcp:bad"]).toContain('Failed to connect to "bad"');
      expect(errors["mcp:stranger"]).toContain("not approved yet");
    } finally {
      await loaded.manager.disconnectAll();
    }
  });

  test("a reload through MCPManager replaces the session's MCP tools with those of the connected servers", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveHttp(SCRIPT);
    const write = (mcpServers: object) => sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
    await write({ one: { type: "http", url: server.url } });
    const manager = new MCPManager(sandbox.project, inSandbox(sandbox));
    const registry = new ToolRegistry();
    await manager.discoverAndConnect();
    registry.refreshMCPTools(manager.getTools());
    const before = registry.tools().map(({ name }) => name);
    await write({ two: { type: "http", url: server.url } });
    await manager.disconnectAll();
    expect(manager.getTools()).toEqual([]);
    await manager.discoverAndConnect();
    registry.refreshMCPTools(manager.getTools());
    await manager.disconnectAll();
    expect([before, registry.tools().map(({ name }) => name)]).toEqual([
      ["mcp_one_read", "mcp_one_write"],
      ["mcp_two_read", "mcp_two_write"],
    ]);
  });

  test("disconnectAll ends everything that two concurrent loads started", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".omp/mcp.json", { mcpServers: { good: stdioServer("raw-server.mjs") } });
    const manager = new MCPManager(sandbox.project, inSandbox(sandbox));
    const loads = await Promise.allSettled([manager.discoverAndConnect(), manager.discoverAndConnect()]);
    const held = manager.getTools();
    await manager.disconnectAll();
    expect(loads[1]).toMatchObject({ value: { connectedServers: ["good"], tools: held } });
    for (const load of loads) {
      const tools = load.status === "fulfilled" ? load.value.tools : [];
      for (const tool of tools) expect(await tool.execute({ text: "hi" })).toMatchObject({ isError: true });
    }
  });

  test("loadAllMCPConfigs returns every enabled server with all its fields, expanded, and its source", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: {
        a: {
          command: "${TOOL:-x}",
          args: ["${HOME}", "${UNSET}"],
          env: { TOKEN: "${SECRET}", NAME_FIRST: "SECRET" },
          enabled: true,
          timeout: 5_000,
          startupTimeout: 6_000,
          label: "mine",
          auth: { type: "oauth", credentialId: "${SECRET}" },
        },
        off: { command: "x", enabled: false },
        bad: {},
      },
    });
    await sandbox.writeHome(".cursor/mcp.json", {
      mcpServers: { c: { command: "x", args: ["${env:SECRET}", "${SECRET}"] } },
    });
    const { configs, sources } = await loadAllMCPConfigs(sandbox.project, { ...sandbox.env(), SECRET: "s3" });
    expect(configs).toEqual({
      a: {
        command: "x",
        args: [sandbox.home, "${UNSET}"],
        env: { TOKEN: "s3", NAME_FIRST: "SECRET" },
        enabled: true,
        timeout: 5_000,
        startupTimeout: 6_000,
        label: "mine",
        auth: { type: "oauth", credentialId: "s3" },
      },
      c: { type: "stdio", command: "x", args: ["s3", "${SECRET}"] },
    });
    expect(sources["a"]).toMatchObject({ tool: "plugboard", file });
  });

  test("loadAllMCPConfigs expands a repository's entries only once they are approved", async () => {
    await using sandbox = await createSandbox();
    const entry = { command: "x", args: ["${SECRET}"], timeout: 7 };
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { repo: entry } });
    const load = async () =>
      (await loadAllMCPConfigs(sandbox.project, { ...sandbox.env(), SECRET: "s3" })).configs["repo"];
    expect(await load()).toEqual(entry);
    await using host = await createHost({ cwd: sandbox.project, env: sandbox.env() });
    await host.approvals.approve("repo", host.approvals.request("repo").hash);
    expect(await load()).toEqual({ ...entry, args: ["s3"] });
  });

  test("a changed copy of a loaded config is not expanded a second time", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { a: { ...stdioServer("tools-server.mjs"), env: { OUTER: "${FIRST}" } } },
    });
    const env = { ...sandbox.env(), FIRST: "${SECOND}", SECOND: "twice" };
    const { configs } = await loadAllMCPConfigs(sandbox.project, env);
    const servers = { a: { ...(configs["a"] as ServerOptions), timeout: 9_000 } };
    await using host = await createHost({ cwd: sandbox.project, env, servers, discover: false });
    expect((await host.call("a", "env", { name: "OUTER" })).text).not.toContain("twice");
  });
});

describe("McpClientManager", () => {
  const http = (url: string, rest: Partial<McpServerConfig> = {}): McpServerConfig => ({
    trust: "trusted",
    transport: { type: "http", url },
    ...rest,
  });

  test("manages the servers it is given, connects when one is used, and finds no others", async () => {
    await using sandbox = await createSandbox();
    await using server = await counted();
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { other: { type: "http", url: server.url } },
    });
    const manager = new McpClientManager({
      servers: { repo: http(server.url), idle: http(server.url) },
      host: { cwd: sandbox.project, ...inSandbox(sandbox) },
    });
    expect(manager.listServerIds()).toEqual(["repo", "idle"]);
    expect(manager.getServerConfig("repo")?.trust).toBe("trusted");
    expect(server.methods).toEqual([]);
    const client = await manager.getClient("repo");
    expect((await client.listTools()).tools).toMatchObject([
      { name: "read", description: "Reads." },
      { name: "write" },
    ]);
    expect(await client.callTool({ name: "read" })).toEqual({
      content: [{ type: "text", text: "3" }],
      structuredContent: { sum: 3 },
      isError: false,
    });
    expect(await client.listResources()).toMatchObject({ resources: [{ uri: "note://a" }] });
    expect(await client.readResource({ uri: "note://a" })).toMatchObject({ contents: [{ text: "a note" }] });
    expect(await client.listPrompts()).toMatchObject({ prompts: [{ name: "greet" }] });
    expect(await client.getPrompt({ name: "greet", arguments: { who: "you" } })).toMatchObject({
      messages: [{ content: { text: "Hello you" } }],
    });
    expect((await failureOf(manager.getClient("other"))).code).toBe("SERVER_UNKNOWN");
    await manager.closeAll();
    expect((await failureOf(manager.getTools("repo"))).code).toBe("HOST_CLOSED");
  });

  test("shares one listing between callers, and keeps it while it is fresh", async () => {
    await using sandbox = await createSandbox();
    await using server = await counted();
    const manager = new McpClientManager({
      servers: { repo: http(server.url) },
      host: { ...inSandbox(sandbox), cwd: sandbox.project },
    });
    const [one, two] = await Promise.all([manager.getTools("repo"), manager.getTools("repo")]);
    const asked = server.methods.length;
    expect(Object.keys(one)).toEqual(["read", "write"]);
    expect(Object.keys(two)).toEqual(Object.keys(await manager.getTools("repo")));
    expect(server.methods.length).toBe(asked);
    await manager.closeAll();
  });

  test("retries a failed connection at the next use", async () => {
    await using sandbox = await createSandbox();
    let isDown = true;
    await using server = await serveHttp(SCRIPT, { guard: () => (isDown ? 503 : undefined) });
    const manager = new McpClientManager({
      servers: { repo: http(server.url) },
      host: { ...inSandbox(sandbox), cwd: sandbox.project },
    });
    await expect(manager.getClient("repo")).rejects.toMatchObject({ server: "repo" });
    isDown = false;
    expect((await (await manager.getClient("repo")).listTools()).tools).toHaveLength(2);
    await manager.closeAll();
  });

  test("enforces enabled, trust and the lists of its bundles", async () => {
    await using sandbox = await createSandbox();
    await using server = await counted();
    const manager = new McpClientManager({
      servers: {
        off: http(server.url, { enabled: false }),
        wild: http(server.url, { trust: "untrusted" }),
        tamed: http(server.url, { trust: "untrusted" }),
      },
      bundles: {
        one: { serverId: "tamed", mode: "direct", allowTools: ["read", "write"] },
        two: { serverId: "tamed", mode: "direct", allowTools: ["read"], denyTools: [] },
      },
      host: { ...inSandbox(sandbox), cwd: sandbox.project },
    });
    expect((await failureOf(manager.getTools("off"))).code).toBe("SERVER_DISABLED");
    expect((await failureOf(manager.getTools("wild"))).code).toBe("TOOL_DENIED");
    expect(server.methods).toEqual([]);
    expect(Object.keys(await manager.getTools("tamed"))).toEqual(["read"]);
    await manager.closeAll();
  });
});
