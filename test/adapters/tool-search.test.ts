import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, test } from "vitest";
import { type AnthropicTools, anthropicTools } from "../../src/adapters/anthropic/index.ts";
import { type ModelServer, startModel } from "./model-server.ts";
import { calling, withHost } from "./tools-host.ts";

/** Runs Anthropic's loop until the model returns text. */
async function runLoop(server: ModelServer, tools: AnthropicTools): Promise<void> {
  const client = new Anthropic({ apiKey: "test", baseURL: server.url, maxRetries: 0 });
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "go" }];
  for (;;) {
    const request = { model: "claude-opus-4-6", max_tokens: 1_000, messages };
    const { content, stop_reason: reason } = await client.messages.create({
      ...request,
      tools: await tools.definitions(),
    });
    if (reason !== "tool_use") return;
    messages.push({ role: "assistant", content }, { role: "user", content: await tools.run(content) });
  }
}

const searching = (args: Readonly<Record<string, unknown>>) => ({
  calls: [{ name: "mcp_find_tools", args }],
});

describe("Anthropic's tool search", () => {
  test("a search by the program returns references to deferred tools", () =>
    withHost(async (host) => {
      await using server = await startModel([
        searching({ query: "adding numbers" }),
        calling("add", { a: 1, b: 2 }),
        { text: "done" },
      ]);
      const tools = anthropicTools(host.session(), {
        deferLoading: ({ tool }) => tool !== "echo",
        search: (query) => host.search(query, { limit: 1 }),
      });
      await runLoop(server, tools);
      expect({ refused: server.refused, results: server.results() }).toEqual({
        refused: [],
        results: [[{ type: "tool_reference", tool_name: "mcp_tools_add" }], "3"],
      });
      expect(server.firstTools().filter(({ isDeferred }) => !isDeferred)).toMatchObject([
        { name: "mcp_find_tools" },
        { name: "mcp_tools_echo" },
      ]);
    }));

  test("without a search of the program, Anthropic searches", () =>
    withHost(async (host) => {
      const [first, ...rest] = await anthropicTools(host.session(), { deferLoading: true }).definitions();
      expect(first).toEqual({ type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" });
      expect(rest.every((tool) => "defer_loading" in tool && tool.defer_loading)).toBe(true);
    }));

  test("the model is informed about searches that find nothing new", () =>
    withHost(async (host) => {
      await using server = await startModel([
        searching({ text: "no query" }),
        searching({ query: "nothing" }),
        searching({ query: "fail" }),
        searching({ query: "echo" }), // is not deferred, so that the model already has it
        { text: "done" },
      ]);
      const tools = anthropicTools(host.session(), {
        deferLoading: ({ tool }) => tool !== "echo",
        async search(query) {
          if (query === "fail") throw new Error("offline");
          return query === "echo" ? [{ server: "tools", tool: "echo" }] : [];
        },
      });
      await runLoop(server, tools);
      expect(server.results()).toEqual([
        { content: 'MCP error: "query" is required.', isError: true },
        "No tools were found.",
        { content: "MCP error: The search failed: offline.", isError: true },
        "No tools were found.",
      ]);
    }));

  test("a server's tool with the name of the search is not the search unless tools are deferred", () =>
    withHost(async (host) => {
      const tools = anthropicTools(host.session(), { search: (query) => host.search(query) });
      const block = { type: "tool_use", id: "1", name: "mcp_find_tools", input: { query: "x" } };
      expect(await tools.run([block])).toMatchObject([
        { is_error: true, content: 'MCP error: Unknown tool "mcp_find_tools".' },
      ]);
    }));
});
