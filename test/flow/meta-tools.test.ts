import { describe, expect, test } from "vitest";
import type { AgentTool, SessionOptions } from "../../src/index.ts";
import { type ScriptedTool, serveHttp } from "../../src/testing/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { hostIn, PATIENTLY } from "./host-in.ts";

const READ: ScriptedTool = {
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  run: ({ path }) => `read ${String(path)}`,
};
const many = (count: number): Record<string, ScriptedTool> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`filler_${at}`, { description: "Fills.", run: () => "" }]),
  );

async function setUp(tools: Record<string, ScriptedTool>, rules: object = {}) {
  const sandbox = await createSandbox();
  const server = await serveHttp({ name: "s", version: "1", tools });
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: {
      repo: { type: "http", url: server.url, ...rules },
      other: { type: "http", url: server.url },
    },
    bundles: {
      found: { serverId: "repo", mode: "meta", allowTools: ["read", "write"] },
      plain: { serverId: "other", mode: "direct", allowTools: ["read"] },
    },
  });
  const host = await hostIn(sandbox);
  return {
    host,
    async hold(options: SessionOptions) {
      const tools = await host.session(options).tools(PATIENTLY);
      const names = tools.map(({ name }) => name);
      const run = async (name: string, args = {}) => {
        const tool = tools.find((each) => each.name === name) as AgentTool;
        return tool.execute(args);
      };
      return { tools, names, run };
    },
    async [Symbol.asyncDispose]() {
      await host.close();
      await server.close();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

const OURS = ["mcp_search_tools", "mcp_describe_tool", "mcp_call_tool"];

describe("a session in meta mode", () => {
  test("offers tools that find, describe and call tools instead of the definitions", async () => {
    await using set = await setUp({ read: READ, write: { ...READ, description: "Writes a file." } });
    const { names, run, tools } = await set.hold({ mode: "meta", servers: ["repo"] });
    expect(names).toEqual(OURS);
    expect(tools[0]?.description).toContain("\nServers: repo");
    const { text: found } = await run("mcp_search_tools", { queries: ["read file", "open"], limit: 1 });
    expect(found).toBe("mcp_repo_read(path: string) Reads a file.");
    expect(JSON.parse((await run("mcp_describe_tool", { name: "mcp_repo_read" })).text)).toMatchObject({
      name: "mcp_repo_read",
      inputSchema: READ.inputSchema,
    });
    expect(await run("mcp_call_tool", { name: "mcp_repo_read", arguments: { path: "a" } })).toMatchObject({
      text: "read a",
      details: { serverName: "repo", mcpToolName: "read" },
    });
    expect((await run("mcp_call_tool", { name: "mcp_repo_read" })).text).toBe(
      'MCP error: Invalid arguments for "read": "path" is required. It is called as read(path: string).',
    );
    expect(await run("mcp_call_tool", { name: "mcp_repo_reed" })).toMatchObject({
      isError: true,
      text: 'MCP error: Unknown tool "mcp_repo_reed". Did you mean "mcp_repo_read"?',
    });
  });

  test("checks the policy for every call", async () => {
    await using set = await setUp(
      { read: READ, drop: READ },
      { denyTools: ["drop"], approval: { read: "ask" } },
    );
    const { run } = await set.hold({ mode: "meta", servers: ["repo"] });
    expect((await run("mcp_search_tools", { query: "drop" })).text).not.toContain("drop");
    expect(await run("mcp_call_tool", { name: "mcp_repo_drop" })).toMatchObject({ isError: true });
    expect((await run("mcp_call_tool", { name: "mcp_repo_read", arguments: { path: "a" } })).text).toContain(
      "needs your approval",
    );
  });

  test("can be limited to the servers whose bundle requests it", async () => {
    await using set = await setUp({ read: READ, write: READ, drop: READ });
    const { names, run } = await set.hold({ bundles: ["found", "plain"] });
    expect(names).toEqual([...OURS, "mcp_other_read"]);
    expect((await run("mcp_search_tools", { query: "drop read write", limit: 50 })).text).toMatch(
      /^(?=.*mcp_repo_read)(?=.*mcp_repo_write)(?!.*drop)(?!.*mcp_other)/s,
    );
  });

  test("starts automatically if the definitions cost too much", async () => {
    await using set = await setUp({ read: READ, ...many(1_000) });
    const few = await set.hold({ mode: "auto", bundles: ["plain"] });
    const lots = await set.hold({ mode: "auto", servers: ["repo"] });
    expect([few.names, lots.names]).toEqual([["mcp_other_read"], OURS]);
    const { direct, meta, servers } = await set.host.doctor.budget();
    expect(direct).toBeGreaterThan(20_000);
    expect(meta).toBeLessThan(2_000);
    expect(servers.map(({ server, tools }) => [server, tools])).toEqual([
      ["other", 1_001],
      ["repo", 1_001],
    ]);
  });

  test("has a cost that is known from cached lists, without a connection", async () => {
    await using set = await setUp({ read: READ });
    expect((await set.host.doctor.budget({ connect: false })).servers).toEqual([]);
    expect(set.host.servers().map(({ state }) => state)).not.toContain("connected");
    await set.host.tools("repo");
    const { servers } = await set.host.doctor.budget({ connect: false });
    expect(servers).toContainEqual(expect.objectContaining({ server: "repo", tools: 1 }));
  });

  test("follows the servers", async () => {
    const tools: Record<string, ScriptedTool> = { read: READ };
    await using set = await setUp(tools);
    const session = set.host.session({ mode: "meta", servers: ["repo"] });
    const [search] = await session.tools(PATIENTLY);
    tools["translate"] = { description: "Translates a text.", run: () => "" };
    await set.host.tools("repo", { refresh: true });
    await session.tools(PATIENTLY);
    expect((await search?.execute({ query: "translate" }))?.text).toContain("mcp_repo_translate");
  });
});

test("a search finds what a changed list and changed rules allow, without reading them again", async () => {
  const tools: Record<string, ScriptedTool> = { read: READ };
  await using set = await setUp(tools);
  const { host } = set;
  const names = async (query: string) => (await host.search(query, PATIENTLY)).map(({ name }) => name);
  expect(await names("read")).toEqual(["mcp_other_read", "mcp_repo_read"]);
  const [before] = await host.search("read");
  expect((await host.search("read"))[0]).toBe(before);
  tools["translate"] = { description: "Translates a text.", run: () => "" };
  await host.tools("repo", { refresh: true });
  expect(await names("translate")).toEqual(["mcp_repo_translate"]);
});

test("ToolLoop's three tools have its limits and its names, as far as models accept them", async () => {
  await using set = await setUp({ read: READ, write: { ...READ, description: "w".repeat(1_000) } });
  const { names, run } = await set.hold({ bundles: ["found"], metaTools: "toolloop" });
  expect(names).toEqual(["mcp_listTools", "mcp_getToolSchema", "mcp_callTool"]);
  const listed = JSON.parse((await run("mcp_listTools", { serverId: "repo" })).text) as {
    name: string;
    description: string;
  }[];
  expect(listed.map(({ name, description }) => [name, description.length])).toEqual([
    ["read", 13],
    ["write", 400],
  ]);
  expect(
    JSON.parse((await run("mcp_listTools", { serverId: "repo", offset: 1, limit: 1 })).text),
  ).toHaveLength(1);
  expect(
    JSON.parse((await run("mcp_getToolSchema", { serverId: "repo", toolName: "read" })).text),
  ).toMatchObject({
    ok: true,
    toolName: "read",
    inputSchema: READ.inputSchema,
  });
  expect(
    await run("mcp_callTool", { serverId: "repo", toolName: "read", args: { path: "a" } }),
  ).toMatchObject({
    text: "read a",
  });
  expect((await run("mcp_callTool", { serverId: "other", toolName: "read" })).isError).toBe(true);
});

test("a server's tool cannot take the name of a search tool", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveHttp({ name: "s", version: "1", tools: { tool: READ } });
  await using host = await hostIn(sandbox, { servers: { call: { type: "http", url: server.url } } });
  expect((await host.tools(PATIENTLY)).map(({ name }) => name)).toEqual([
    expect.stringMatching(/^mcp_call_tool_[0-9a-f]{8}$/),
  ]);
});
