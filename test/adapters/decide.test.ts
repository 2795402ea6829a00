import { expect, test } from "vitest";
import { anthropicTools } from "../../src/adapters/anthropic/index.ts";
import { langChainTools } from "../../src/adapters/langchain/index.ts";
import { agentsTools, chatTools, type DecideCall } from "../../src/adapters/openai/index.ts";
import type { AgentTool, ToolResult } from "../../src/index.ts";

const toolOf = (tool: string): AgentTool => ({
  name: `mcp_files_${tool}`,
  title: tool,
  description: `Can ${tool}.`,
  inputSchema: { type: "object", properties: {} },
  server: "files",
  tool,
  approval: "allow",
  stale: false,
  execute: async () => {
    const text = `${tool} done`;
    return { text, parts: [{ type: "text", text }], isError: false, details: {} as ToolResult["details"] };
  },
});
const TOOLS = [toolOf("read"), toolOf("write")];

test("a decision that throws refuses only its call, and the other results are kept", async () => {
  const decide: DecideCall = ({ tool }) => {
    if (tool.tool === "write") throw new Error("the dialog is gone");
    return "allow";
  };
  const calls = ["read", "write"].map((tool) => ({
    id: tool,
    type: "function",
    function: { name: `mcp_files_${tool}`, arguments: "{}" },
  }));
  expect((await chatTools(TOOLS, { decide }).run(calls)).map(({ content }) => content)).toEqual([
    "read done",
    "MCP error: The call was not approved: the dialog is gone.",
  ]);
});

test("a decision that throws because of an abort rejects", async () => {
  const decide: DecideCall = () => {
    throw new DOMException("This operation was aborted", "AbortError");
  };
  const call = { id: "1", type: "function", function: { name: "mcp_files_read", arguments: "{}" } };
  const stopped = chatTools(TOOLS, { decide }).run([call], { signal: AbortSignal.abort() });
  await expect(stopped).rejects.toThrow("aborted");
});

test("a decision receives the provider's id of the call in every adapter", async () => {
  const told: (string | undefined)[] = [];
  const decide: DecideCall = ({ id }) => {
    told.push(id);
    return "allow";
  };
  const [ofAgents] = await agentsTools(TOOLS, { decide });
  await ofAgents?.invoke(undefined, "{}", { toolCall: { callId: "agents" } });
  const [ofAnthropic] = await anthropicTools(TOOLS, { decide }).runnable();
  await ofAnthropic?.run({}, { toolUse: { id: "anthropic" } });
  const [ofLangChain] = await langChainTools(TOOLS, { decide });
  await ofLangChain?.invoke({ type: "tool_call", id: "langchain", name: "mcp_files_read", args: {} });
  expect(told).toEqual(["agents", "anthropic", "langchain"]);
});
