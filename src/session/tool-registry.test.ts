import { describe, expect, test } from "vitest";
import type { ToolResult } from "../model/index.ts";
import { ToolRegistry } from "./tool-registry.ts";

interface Held {
  readonly name: string;
  readonly server?: string;
  readonly version?: number;
  readonly execute?: () => void;
}
const named = (registry: ToolRegistry<Held>) => registry.tools().map(({ name }) => name);
const tool = (server: string, name: string, version = 1): Held => ({
  name: `mcp_${server}_${name}`,
  server,
  version,
  execute: () => {},
});

test("refreshMCPTools replaces all MCP tools and keeps the agent's own", () => {
  const registry = new ToolRegistry<Held>();
  registry.register({ name: "bash" });
  registry.refreshMCPTools([tool("b", "x"), tool("a", "y")]);
  const heard: string[][] = [];
  registry.subscribe((tools) => heard.push(tools.map(({ name }) => name)));
  registry.refreshMCPTools([tool("c", "z"), tool("a", "y", 2)]);
  expect(heard).toEqual([["bash", "mcp_a_y", "mcp_c_z"]]);
  expect(registry.get("mcp_a_y")?.version).toBe(2);
  expect(registry.get("mcp_b_x")).toBeUndefined();
});

test("refreshMCPTools activates the new tools, even those that were inactive before", () => {
  const registry = new ToolRegistry<Held>();
  registry.register({ name: "bash" });
  registry.refreshMCPTools([tool("a", "x"), tool("a", "y")]);
  registry.setActive("mcp_a_x", false);
  registry.setActive("bash", false);
  expect(named(registry)).toEqual(["mcp_a_y"]);
  registry.refreshMCPTools([tool("a", "x"), tool("a", "z")]);
  expect(named(registry)).toEqual(["mcp_a_x", "mcp_a_z"]);
});

test("updateMcpTools replaces the tools of one server", () => {
  const registry = new ToolRegistry<Held>();
  registry.refreshMCPTools([tool("a", "x"), tool("b", "x")]);
  registry.updateMcpTools("a", [tool("a", "y"), tool("a", "w")]);
  expect(named(registry)).toEqual(["mcp_a_w", "mcp_a_y", "mcp_b_x"]);
  registry.updateMcpTools("b", []);
  expect(named(registry)).toEqual(["mcp_a_w", "mcp_a_y"]);
});

describe("updateMcpTools with the output of listTools()", () => {
  const definition = (name: string) => ({ name, inputSchema: { type: "object" } });
  const namesIn = (registry: ToolRegistry) => registry.tools().map(({ name }) => name);
  const result: ToolResult = {
    text: "done",
    parts: [],
    isError: false,
    details: {
      serverName: "a",
      mcpToolName: "read",
      provider: "test",
      source: { tool: "test", scope: "user", tier: "user", file: "f" },
    },
  };

  test("names the tools and replaces only the tools of that server", () => {
    const registry = new ToolRegistry();
    registry.updateMcpTools("github", [definition("github_search"), definition("fork")]);
    registry.updateMcpTools("git", { tools: [definition("log")] });
    expect(namesIn(registry)).toEqual(["mcp_git_log", "mcp_github_fork", "mcp_github_search"]);
    registry.updateMcpTools("github", [definition("star")]);
    expect(namesIn(registry)).toEqual(["mcp_git_log", "mcp_github_star"]);
    expect(registry.get("mcp_github_star")).toMatchObject({
      server: "github",
      tool: "star",
      description: "MCP tool from github",
      inputSchema: { type: "object", properties: {} },
    });
    registry.updateMcpTools("github", []);
    expect(namesIn(registry)).toEqual(["mcp_git_log"]);
  });

  test("gives different names to tools of two servers, and keeps existing names", () => {
    const registry = new ToolRegistry();
    registry.updateMcpTools("my.server", [definition("read")]);
    registry.updateMcpTools("my-server", [definition("read")]);
    const [first, second] = [registry.tools()[0], registry.tools()[1]];
    expect([first?.name, second?.name]).toEqual([
      "mcp_my_server_read",
      expect.stringMatching(/^mcp_my_server_read_[0-9a-f]{8}$/),
    ]);
    registry.updateMcpTools("my-server", [definition("read"), definition("write")]);
    registry.updateMcpTools("my.server", []);
    expect(namesIn(registry)).toEqual([second?.name, "mcp_my_server_write"]);
  });

  test("keeps inactive tools of other servers inactive", () => {
    const registry = new ToolRegistry();
    registry.updateMcpTools("a", [definition("x")]);
    registry.updateMcpTools("b", [definition("x")]);
    registry.setActive("mcp_a_x", false);
    registry.setActive("mcp_b_x", false);
    registry.updateMcpTools("b", [definition("x")]);
    expect(namesIn(registry)).toEqual(["mcp_b_x"]);
  });

  test("calls tools through the `call` option", async () => {
    const calls: unknown[] = [];
    const registry = new ToolRegistry({
      call: async (...args) => {
        calls.push(args.slice(0, 3));
        return result;
      },
    });
    registry.updateMcpTools("a", [definition("read")]);
    expect(await registry.get("mcp_a_read")?.execute({ path: "p" })).toEqual(result);
    expect(calls).toEqual([["a", "read", { path: "p" }]]);
  });

  test("keeps calling an existing tool as before, and throws for a new one without `call`", async () => {
    const registry = new ToolRegistry();
    registry.updateMcpTools("a", [definition("read")]);
    const built = registry.get("mcp_a_read");
    expect(await built?.execute({})).toMatchObject({
      isError: true,
      text: expect.stringContaining("MCP error: "),
    });
    if (built === undefined) return;
    registry.refreshMCPTools([{ ...built, name: "other_style_read", execute: async () => result }]);
    registry.updateMcpTools("a", [definition("read"), definition("new")]);
    expect(namesIn(registry)).toEqual(["mcp_a_new", "other_style_read"]);
    expect(await registry.get("other_style_read")?.execute({})).toEqual(result);
  });

  test("ignores values that are not tool definitions", () => {
    const registry = new ToolRegistry();
    const forged = { name: "bash", server: "other", tool: "x", inputSchema: {} };
    registry.updateMcpTools("a", [forged, { name: 5 }, { name: "x" }, null] as never);
    expect(registry.tools()).toMatchObject([{ name: "mcp_a_bash", server: "a", tool: "bash" }]);
  });
});

test("the order of tools does not depend on the order of arrival", () => {
  const tools = ["q", "a", "m", "z", "b"].map((name) => tool("s", name));
  const orders = [tools, [...tools].reverse()].map((arrived) => {
    const registry = new ToolRegistry<Held>();
    registry.refreshMCPTools(arrived);
    return named(registry);
  });
  expect(orders[0]).toEqual(orders[1]);
});

test("a server's tool never replaces one of the agent's own", () => {
  const registry = new ToolRegistry<Held>();
  registry.register({ name: "bash", version: 7 });
  expect(registry.refreshMCPTools([{ name: "bash", server: "evil" }, tool("a", "x")])).toEqual(["bash"]);
  expect(registry.get("bash")).toEqual({ name: "bash", version: 7 });
  expect(named(registry)).toEqual(["bash", "mcp_a_x"]);
});

test("a list of tools does not change after it was returned", () => {
  const registry = new ToolRegistry<Held>();
  registry.refreshMCPTools([tool("a", "x")]);
  const step = registry.tools();
  registry.refreshMCPTools([]);
  expect(step.map(({ name }) => name)).toEqual(["mcp_a_x"]);
  expect(Object.isFrozen(step)).toBe(true);
});
