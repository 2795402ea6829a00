import { describe, expect, test } from "vitest";
import {
  convertToLegacyConfig,
  DeferredMCPTool,
  loadCapability,
  MCP,
  MCPManager,
  type MCPServer,
  type MCPStatus,
  MCPTool,
  McpClientManager,
  McpOAuthCallback,
  McpOAuthProvider,
  mcpCapability,
  statusOf,
  ToolAbortError,
} from "../../src/compat/index.ts";
import { createHost, type ServerOptions } from "../../src/index.ts";
import { serveHttp } from "../../src/testing/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventsOf, failureOf, hostIn, PATIENTLY } from "./host-in.ts";

const source = { provider: "omp", path: "mcp.json", level: "user" } as const;

describe("loadCapability", () => {
  test("returns one server per name, the highest priority first, and validates them afterwards", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".omp/mcp.json", {
      mcpServers: {
        same: { command: "${TOOL}", enabled: false, timeout: 5_000 },
        both: { command: "x", url: "http://x" },
      },
    });
    const cursor = await sandbox.writeHome(".cursor/mcp.json", {
      mcpServers: { same: { command: "shadowed" }, web: { url: "http://web.test/" } },
    });
    const env = { ...sandbox.env(), TOOL: "tool" };
    const found = await loadCapability(mcpCapability.id, { cwd: sandbox.project, env });
    expect(found.items).toMatchObject([
      {
        name: "same",
        command: "tool",
        enabled: false,
        timeout: 5_000,
        _source: { provider: "omp", level: "user" },
      },
      {
        name: "web",
        transport: "http",
        url: "http://web.test/",
        _source: { provider: "cursor", path: cursor },
      },
    ]);
    expect(found.all.map(({ name, _shadowed = false }) => [name, _shadowed])).toEqual([
      ["same", false],
      ["both", false],
      ["web", false],
      ["same", true],
    ]);
    expect(found.warnings.join()).toContain("both");
    expect([...found.providers].sort()).toEqual(["cursor", "omp"]);
  });

  test("refuses another capability", async () => {
    await expect(loadCapability("skills" as never)).rejects.toThrow('Unknown capability: "skills"');
  });

  test("validates as the seeds do", () => {
    expect(mcpCapability.key({ name: "a" })).toBe("a");
    expect(mcpCapability.validate({ name: "a", command: "x", _source: source })).toBeUndefined();
    expect(mcpCapability.validate({ name: "a", command: "x", url: "http://x", _source: source })).toContain(
      "not both",
    );
    expect(mcpCapability.validate({ name: "a", _source: source })).toContain('requires "command"');
  });
});

describe("convertToLegacyConfig", () => {
  test.each<[Omit<MCPServer, "name" | "_source">, object]>([
    [
      { command: "x", args: ["a"] },
      { type: "stdio", command: "x", args: ["a"] },
    ],
    [{ url: "http://x/" }, { type: "http", url: "http://x/" }],
    [
      { transport: "sse", url: "http://x/" },
      { type: "sse", url: "http://x/" },
    ],
    [{}, { type: "stdio" }],
    [
      { command: "x", enabled: false, timeout: 5, auth: { type: "oauth", credentialId: "c" } },
      { type: "stdio", command: "x", enabled: false, timeout: 5, auth: { type: "oauth", credentialId: "c" } },
    ],
  ])("maps %j to %j", (server, config) => {
    expect(convertToLegacyConfig({ name: "a", ...server, _source: source })).toEqual(config);
  });

  test("keeps the source: a repository's server runs once it is approved, and not before", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(".mcp.json", { mcpServers: { repo: stdioServer("raw-server.mjs") } });
    const connect = async () => {
      const { items } = await loadCapability("mcps", { cwd: sandbox.project, env: sandbox.env() });
      const repo = convertToLegacyConfig(items[0] as MCPServer) as ServerOptions;
      await using host = await createHost({
        cwd: sandbox.project,
        env: sandbox.env(),
        servers: { repo },
        discover: false,
      });
      return await host.connect("repo").then(
        () => "connected",
        (error: { code: string }) => error.code,
      );
    };
    expect(await connect()).toBe("INTERACTION_REQUIRED");
    await using host = await hostIn(sandbox);
    await host.approvals.approve("repo", host.approvals.request("repo").hash);
    expect(await connect()).toBe("connected");
  });
});

describe("MCPTool and DeferredMCPTool", () => {
  const definition = { name: "a1_read", description: "Reads.", inputSchema: { type: "object" } };
  const connectionOf = (callTool: MCPToolCall) => ({ name: "a1", callTool });
  type MCPToolCall = ConstructorParameters<typeof MCPTool>[0]["callTool"];

  test("call the tool, flatten its result and include its source", async () => {
    await using sandbox = await createSandbox();
    const { command, args } = stdioServer("tools-server.mjs");
    const manager = new McpClientManager({
      servers: { repo: { trust: "trusted", transport: { type: "stdio", command, args } } },
      host: { cwd: sandbox.project, env: sandbox.env(), home: sandbox.home },
    });
    const client = await manager.getClient("repo");
    const { tools } = await client.listTools();
    const connection = { name: "repo", ...client };
    const built = MCPTool.fromTools(connection, tools as never);
    const echo = built.find(({ tool }) => tool === "echo");
    expect(echo?.name).toBe("mcp_repo_echo");
    expect(await echo?.execute({ text: "hi" })).toMatchObject({
      text: "hi",
      isError: false,
      details: { serverName: "repo", mcpToolName: "echo", provider: "program" },
    });
    expect((await built.find(({ tool }) => tool === "fail")?.execute())?.text).toMatch(/^Error: /);
    await manager.closeAll();
  });

  test("are named by the rule of the seeds and have properties in their schema", () => {
    const tool = new MCPTool(
      connectionOf(async () => ({})),
      definition,
    );
    expect([tool.name, tool.inputSchema]).toEqual(["mcp_a_read", { type: "object", properties: {} }]);
  });

  test("connect when they are called, and return a failed call as text", async () => {
    let connects = 0;
    const tool = new DeferredMCPTool("a1", definition, async () => {
      connects += 1;
      throw new Error("the connection ended");
    });
    expect(connects).toBe(0);
    expect(await tool.execute({})).toMatchObject({ isError: true, text: "MCP error: the connection ended" });
    expect(connects).toBe(1);
  });

  test.each(["by the signal", "by an AbortError"])(
    "reject with ToolAbortError if aborted %s",
    async (how) => {
      const stop = new AbortController();
      const tool = new MCPTool(
        connectionOf(() => {
          if (how === "by the signal") stop.abort();
          return how === "by the signal"
            ? new Promise(() => {})
            : Promise.reject(Object.assign(new Error("stopped"), { name: "AbortError" }));
        }),
        definition,
      );
      await expect(tool.execute({}, { signal: stop.signal })).rejects.toBeInstanceOf(ToolAbortError);
    },
  );
});

describe("MCPManager.prepareConfig", () => {
  const prepare = async (env: Record<string, string | undefined>, config: object, cwd: string) =>
    new MCPManager(cwd, { env }).prepareConfig(config as never);

  test("resolves header and env values and omits those without one", async () => {
    await using sandbox = await createSandbox();
    const env = { ...sandbox.env(), MY_TOKEN: "s3cret" };
    const http = {
      type: "http",
      url: "http://x.test/",
      timeout: 5,
      headers: { A: "MY_TOKEN", B: "!exit 1", C: "c" },
    };
    expect(await prepare(env, http, sandbox.project)).toEqual({ ...http, headers: { A: "s3cret", C: "c" } });
    const stdio = { type: "stdio", command: "x", env: { A: "!echo '  out '", B: "${UNSET}" } };
    expect(await prepare(env, stdio, sandbox.project)).toMatchObject({ command: "x", env: { A: "out" } });
  });

  test("refuses a repository's server that is not approved", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(".omp/mcp.json", {
      mcpServers: { repo: { command: "x", env: { A: "!echo 1" } } },
    });
    const { items } = await loadCapability("mcps", { cwd: sandbox.project, env: sandbox.env() });
    const config = convertToLegacyConfig(items[0] as MCPServer);
    expect((await failureOf(prepare(sandbox.env(), config, sandbox.project))).code).toBe(
      "INTERACTION_REQUIRED",
    );
  });
});

describe("McpOAuthProvider and McpOAuthCallback", () => {
  const client = {
    name: "github",
    clientId: "id",
    authUrl: "https://auth.test/authorize?tenant=1",
    tokenUrl: "https://auth.test/token",
  };

  test("return a URL with a state and a PKCE challenge, and wait for its code", async () => {
    const seen: string[][] = [];
    const callback = async (...given: string[]) => {
      seen.push(given);
      return { success: true };
    };
    const server = await McpOAuthCallback.start({ callback });
    await McpOAuthProvider.register(client);
    const url = new URL(await McpOAuthProvider.startAuth({ serverName: "github" }));
    const parameters = Object.fromEntries(url.searchParams);
    expect(parameters).toMatchObject({
      tenant: "1",
      response_type: "code",
      client_id: "id",
      redirect_uri: server.redirectUri,
      code_challenge_method: "S256",
    });
    const waiting = McpOAuthCallback.waitForCode();
    const answer = (state: string) => fetch(`${server.redirectUri}?code=the-code&state=${state}`);
    expect((await answer("wrong")).status).toBe(400);
    const [page, code] = await Promise.all([answer(parameters["state"] ?? ""), waiting]);
    expect([page.status, code, seen]).toEqual([200, "the-code", [["the-code", parameters["state"]]]]);
    expect(McpOAuthProvider.codeVerifier("github")).toMatch(/^[\w-]{43}$/);
    await server.stop();
  });

  test("reject if the authorization server refuses, or if no client is registered for the server", async () => {
    await McpOAuthProvider.register(client);
    const url = new URL(
      await McpOAuthProvider.startAuth({ serverName: "github", authEndpoint: "https://other.test/a" }),
    );
    expect(url.host).toBe("other.test");
    const waiting = failureOf(McpOAuthCallback.waitForCode());
    const back = `${url.searchParams.get("redirect_uri")}?error=access_denied&state=${url.searchParams.get("state")}`;
    const [page, failure] = await Promise.all([fetch(back), waiting]);
    expect([page.status, failure.code, failure.message]).toEqual([
      400,
      "AUTH_FAILED",
      "OAuth authentication failed: access_denied",
    ]);
    await McpOAuthCallback.stop();
    const unknown = await failureOf(McpOAuthProvider.startAuth({ serverName: "nobody" }));
    expect(unknown.code).toBe("AUTH_CLIENT_REQUIRED");
    expect((await failureOf(McpOAuthCallback.waitForCode())).code).toBe("USAGE_INVALID");
  });
});

describe("MCP", () => {
  test("ToolsChanged is the event that a host publishes with the server", async () => {
    await using sandbox = await createSandbox();
    const tools: Record<string, { run: () => string }> = { read: { run: () => "1" } };
    await using server = await serveHttp({ name: "s", version: "1", tools });
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    await host.tools(PATIENTLY);
    const events = eventsOf(host);
    tools["write"] = { run: () => "2" };
    await host.tools("web", { refresh: true });
    expect(events.filter(MCP.ToolsChanged.is)).toEqual([{ type: MCP.ToolsChanged.type, server: "web" }]);
  });

  test("updateResourceCache replaces the cached resources of one server", async () => {
    await MCP.updateResourceCache("a", [{ uri: "note://1", name: "one" }]);
    await MCP.updateResourceCache("b", [{ uri: "note://2", name: "two" }]);
    await MCP.updateResourceCache("a", [{ uri: "note://3", name: "three" }]);
    expect([MCP.cachedResources("a"), MCP.cachedResources("b"), MCP.cachedResources("c")]).toEqual([
      [{ uri: "note://3", name: "three" }],
      [{ uri: "note://2", name: "two" }],
      [],
    ]);
  });
});

test("MCPStatus is what statusOf() returns", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { raw: { command: "not-loaded-before" } } });
  const status: Readonly<Record<string, MCPStatus>> = statusOf(host);
  expect(status["raw"]).toMatchObject({ status: "failed", idle: true });
});
