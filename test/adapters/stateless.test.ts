import { expect, test } from "vitest";
import { anthropicTools } from "../../src/adapters/anthropic/index.ts";
import { chatTools, responsesTools } from "../../src/adapters/openai/index.ts";
import { withHost } from "./tools-host.ts";

test("calls are made by a session that has not listed its tools", () =>
  withHost(async (host) => {
    const name = "mcp_tools_echo";
    const args = JSON.stringify({ text: "hi" });
    const call = { type: "function", id: "1", function: { name, arguments: args } };
    const item = { type: "function_call", call_id: "1", name, arguments: args };
    const block = { type: "tool_use", id: "1", name, input: { text: "hi" } };
    expect(await chatTools(host.session()).run([call, { ...call, id: "2" }])).toMatchObject([
      { tool_call_id: "1", content: "hi" },
      { tool_call_id: "2", content: "hi" },
    ]);
    expect(await responsesTools(host.session()).run([item])).toMatchObject([{ output: "hi" }]);
    expect(await anthropicTools(host.session()).run([block])).toMatchObject([{ content: "hi" }]);
  }));

test("a name that no server has stays unknown", () =>
  withHost(async (host) => {
    const block = { type: "tool_use", id: "1", name: "mcp_tools_none", input: {} };
    expect(await anthropicTools(host.session()).run([block])).toMatchObject([
      { content: 'MCP error: Unknown tool "mcp_tools_none".', is_error: true },
    ]);
  }));
