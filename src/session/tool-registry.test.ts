import { expect, test } from "vitest";
import { ToolRegistry } from "./tool-registry.ts";

interface Held {
  readonly name: string;
  readonly server?: string;
  readonly version?: number;
}
const named = (registry: ToolRegistry<Held>) => registry.tools().map(({ name }) => name);
const tool = (server: string, name: string, version = 1): Held => ({
  name: `mcp_${server}_${name}`,
  server,
  version,
});

test("refreshMCPTools replaces all MCP tools at once and leaves the others alone", () => {
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

test("refreshMCPTools activates the new tools, also those that were off before", () => {
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

test("the same tools have the same order however they arrive", () => {
  const tools = ["q", "a", "m", "z", "b"].map((name) => tool("s", name));
  const orders = [tools, [...tools].reverse()].map((arrived) => {
    const registry = new ToolRegistry<Held>();
    registry.refreshMCPTools(arrived);
    return named(registry);
  });
  expect(orders[0]).toEqual(orders[1]);
});

test("a server's tool never takes the place of an agent's own", () => {
  const registry = new ToolRegistry<Held>();
  registry.register({ name: "bash", version: 7 });
  expect(registry.refreshMCPTools([{ name: "bash", server: "evil" }, tool("a", "x")])).toEqual(["bash"]);
  expect(registry.get("bash")).toEqual({ name: "bash", version: 7 });
  expect(named(registry)).toEqual(["bash", "mcp_a_x"]);
});

test("what a step was given does not change under it", () => {
  const registry = new ToolRegistry<Held>();
  registry.refreshMCPTools([tool("a", "x")]);
  const step = registry.tools();
  registry.refreshMCPTools([]);
  expect(step.map(({ name }) => name)).toEqual(["mcp_a_x"]);
  expect(Object.isFrozen(step)).toBe(true);
});
