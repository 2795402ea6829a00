import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { aiSdkTools } from "../../src/adapters/ai-sdk/index.ts";
import { anthropicTools, type ToolSource } from "../../src/adapters/anthropic/index.ts";
import { chatTools, responsesTools } from "../../src/adapters/openai/index.ts";
import type { AgentTool, ToolResult } from "../../src/index.ts";
import { startModel } from "./model-server.ts";

const TURNS = 50;

function toolOf(tool: string, description = "Reads"): AgentTool {
  const text = `${tool}: ${description}`;
  return {
    name: `mcp_files_${tool}`,
    title: tool,
    description,
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
    server: "files",
    tool,
    approval: "allow",
    stale: false,
    execute: async () => ({ text, parts: [], isError: false, details: {} as ToolResult["details"] }),
  };
}

/** A session whose tools the test replaces. */
function changingSession(first: readonly AgentTool[]): { source: ToolSource; set(tools: AgentTool[]): void } {
  let tools = first;
  return {
    source: {
      tools: async () => tools,
      snapshot: () => ({ revision: 1, tools, missing: [] }),
      subscribe: () => () => undefined,
    },
    set(next) {
      tools = next;
    },
  };
}

/** The tools of turn n: some are new, some changed, some removed, and their order differs. */
function toolsOf(turn: number): AgentTool[] {
  const tools = [
    toolOf("read"),
    toolOf("write", turn < 20 ? "Writes" : "Writes a file"),
    ...(turn < 30 ? [toolOf("list")] : []),
    ...Array.from({ length: turn % 10 }, (_, index) => toolOf(`new_${index}`)),
  ];
  return turn % 2 === 0 ? tools : tools.reverse();
}

test("the tools of 50 requests start with the bytes of the first, whatever the servers change", async () => {
  await using server = await startModel(Array.from({ length: TURNS }, () => ({ text: "done" })));
  const client = new Anthropic({ apiKey: "test", baseURL: server.url, maxRetries: 0 });
  const session = changingSession(toolsOf(0));
  const tools = anthropicTools(session.source, { keepDefinitions: true });
  for (let turn = 0; turn < TURNS; turn += 1) {
    session.set(toolsOf(turn));
    await client.messages.create({
      model: "claude-opus-4-6",
      max_tokens: 10,
      messages: [{ role: "user", content: "go" }],
      tools: await tools.definitions(),
    });
  }
  const sent = server.requests.map((body) => JSON.stringify(body["tools"]).slice(0, -1));
  expect({ refused: server.refused, requests: sent.length }).toEqual({ refused: [], requests: TURNS });
  expect(sent.filter((text, turn) => !text.startsWith(sent[turn - 1] ?? ""))).toEqual([]);
  expect(server.offered().at(-1)).toEqual([
    "mcp_files_read",
    "mcp_files_write",
    "mcp_files_list",
    ...Array.from({ length: 9 }, (_, index) => `mcp_files_new_${index}`),
    "mcp_files_write_2",
  ]);
});

test("every adapter keeps definitions in place, and so does deferLoading", async () => {
  const before = [toolOf("read"), toolOf("write")];
  const after = [toolOf("write", "Writes"), toolOf("list")];
  const expected = ["read", "write", "write_2", "list"].map((tool) => `mcp_files_${tool}`);
  const session = changingSession(before);
  const keepDefinitions = true;
  const chat = chatTools(session.source, { keepDefinitions });
  const responses = responsesTools(session.source, { deferLoading: true });
  const sdk = await aiSdkTools(session.source, { keepDefinitions });
  await chat.definitions();
  await responses.definitions();
  session.set(after);
  expect((await chat.definitions()).map((tool) => tool.function.name)).toEqual(expected);
  expect((await responses.definitions()).map((tool) => ("name" in tool ? tool.name : tool.type))).toEqual([
    "tool_search",
    ...expected,
  ]);
  expect(Object.keys(sdk.tools)).toEqual(expected);
});

test("a changed tool has a new name, and both names call the server's tool", async () => {
  const session = changingSession([toolOf("write")]);
  const tools = anthropicTools(session.source, { keepDefinitions: true });
  await tools.definitions();
  session.set([toolOf("write", "Writes")]);
  expect(await tools.definitions()).toMatchObject([
    { name: "mcp_files_write", description: "Reads" },
    { name: "mcp_files_write_2", description: "Replaces mcp_files_write. Writes" },
  ]);
  const calls = ["mcp_files_write", "mcp_files_write_2"].map((name) => ({
    type: "tool_use",
    id: name,
    name,
    input: {},
  }));
  expect((await tools.run(calls)).map(({ content }) => content)).toEqual(["write: Reads", "write: Writes"]);
  session.set([toolOf("write")]); // the first definition again
  expect(await tools.definitions()).toHaveLength(2);
});

test("a server that keeps changing its tools cannot make the list grow without limit", async () => {
  const session = changingSession([toolOf("write")]);
  const tools = anthropicTools(session.source, { keepDefinitions: true });
  let most = 0;
  for (let turn = 0; turn < 300; turn += 1) {
    session.set([toolOf("write", `Version ${turn}`)]);
    most = Math.max(most, (await tools.definitions()).length);
  }
  expect(most).toBeLessThan(150);
});
