import { describe, expect, test } from "vitest";
import type { AgentTool, JsonObject, ToolResult } from "../model/index.ts";
import { toMetaTools } from "./meta-tools.ts";
import { createToolFinder } from "./search/tool-finder.ts";
import { toToolLoopTools } from "./toolloop-tools.ts";

const TOOLS = Array.from(
  { length: 300 },
  (_, at): AgentTool => ({
    name: `mcp_files_read_${at}`,
    title: "read",
    description: `Reads the file of number ${at} in words: ${"abcdefghij"[at % 10]}${at}.`,
    inputSchema: { type: "object", properties: {} },
    server: "files",
    tool: `read_${String(at).padStart(3, "0")}`,
    approval: "allow",
    stale: false,
    execute: () => Promise.reject(new Error("not called here")),
  }),
);

test.each([
  ["mcp_search_tools", { query: "read" }, 50],
  ["mcp_listTools", { serverId: "files" }, 128],
])("%s returns at most as many tools as its schema allows", async (name, args, most) => {
  const source = { tools: () => TOOLS };
  const tool = [
    ...toMetaTools(
      source,
      createToolFinder(async () => {}),
    ),
    ...toToolLoopTools(source),
  ].find((each) => each.name === name);
  const countFor = async (limit: unknown): Promise<number> => {
    const { text } = (await tool?.execute({ ...args, limit } as never)) ?? { text: "" };
    return text.match(/read_\d\d\d"|^mcp_files_read_/gm)?.length ?? 0;
  };
  expect(await countFor(100_000)).toBe(most);
  expect(await countFor(-3)).toBe(1);
  expect(await countFor(2)).toBe(2);
  expect(await countFor("many")).toBeLessThanOrEqual(most);
});

test("a page of ToolLoop's list starts at the offset, and not before the first tool", async () => {
  const [list] = toToolLoopTools({ tools: () => TOOLS });
  const first = async (offset: unknown): Promise<string | undefined> => {
    const { text } = (await list?.execute({ serverId: "files", offset } as never)) ?? { text: "[]" };
    return (JSON.parse(text) as { name: string }[])[0]?.name;
  };
  expect(await first(7)).toBe("read_007");
  expect(await first(-7)).toBe("read_000");
  expect(await first("x")).toBe("read_000");
});

describe("the arguments that a model passes on", () => {
  const called: unknown[] = [];
  const source = {
    tools: (): AgentTool[] =>
      TOOLS.slice(0, 1).map((tool) => ({
        ...tool,
        execute: async (args) => {
          called.push(args);
          return { text: "done", parts: [], isError: false, details: {} as ToolResult["details"] };
        },
      })),
  };
  const run = async (name: string, args: JsonObject): Promise<ToolResult | undefined> =>
    [
      ...toMetaTools(
        source,
        createToolFinder(async () => {}),
      ),
      ...toToolLoopTools(source),
    ]
      .find((each) => each.name === name)
      ?.execute(args);
  const ours = { name: "mcp_files_read_0" };
  const theirs = { serverId: "files", toolName: "read_000" };

  test.each<[string, JsonObject, string]>([
    ["mcp_call_tool", { ...ours, arguments: '{"path":"a"}' }, '"arguments" must be an object, not a string'],
    ["mcp_call_tool", { ...ours, arguments: ["a"] }, '"arguments" must be an object, not an array'],
    ["mcp_callTool", { ...theirs, args: '{"path":"a"}' }, '"args" must be an object, not a string'],
  ])("are rejected by %s if they are not an object", async (name, args, wrong) => {
    called.length = 0;
    const result = await run(name, args);
    expect(result).toMatchObject({ isError: true });
    expect(result?.text).toContain(wrong);
    expect(called).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ["mcp_call_tool", ours],
    ["mcp_call_tool", { ...ours, arguments: null }],
    ["mcp_callTool", theirs],
  ])("are optional: %s", async (name, args) => {
    called.length = 0;
    expect(await run(name, args)).toMatchObject({ text: "done" });
    expect(called).toEqual([{}]);
  });

  test.each<[string, JsonObject]>([
    ["none", {}],
    ["an empty one", { queries: ["", 7] }],
  ])("must contain a query for a search: %s", async (_, args) => {
    expect(await run("mcp_search_tools", args)).toMatchObject({
      text: 'MCP error: "queries" is required: what the tool should do, in one to three short phrases.',
      isError: true,
    });
  });

  test.each<[string, JsonObject]>([
    ["a list of phrasings", { queries: ["read", "open file", "load", "a fourth is ignored"] }],
    ["a single query", { query: "read" }],
    ["a text instead of a list", { queries: "read" }],
    ["a server", { queries: ["read"], server: "files" }],
  ])("can be %s for a search", async (_, args) => {
    expect((await run("mcp_search_tools", args))?.text).toContain("mcp_files_read_0");
  });

  test("must name a known server", async () => {
    expect(await run("mcp_search_tools", { queries: ["read"], server: "file" })).toMatchObject({
      text: 'MCP error: Unknown server "file". Did you mean "files"?',
      isError: true,
    });
  });
});

test("search results are short even if names are long", async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `${"x".repeat(1_000)}${at}`);
  const inputSchema = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, {}])),
    required: names,
  };
  const [search] = toMetaTools(
    { tools: () => TOOLS.map((tool) => ({ ...tool, inputSchema })) },
    createToolFinder(async () => {}),
  );
  const { text } = (await search?.execute({ query: "read", limit: 50 })) ?? { text: "" };
  expect(text.split("\n")).toHaveLength(50);
  expect(text.length).toBeLessThan(10_000);
});
