import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage, HumanMessage, type ToolMessage } from "@langchain/core/messages";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { langChainTools } from "../../../src/adapters/langchain/index.ts";
import type { AgentTool, ToolResult } from "../../../src/index.ts";
import { startModel } from "../../adapters/model-server.ts";
import { calling, PICTURE, withHost } from "../../adapters/tools-host.ts";
import { eventuallyReads } from "../../flow/host-in.ts";

const PNG_URL = /^data:image\/png;base64,iVBOR/;

test("a loop with LangChain calls tools and receives their results", () =>
  withHost(async (host) => {
    await using server = await startModel([
      calling("echo", { text: "hi" }),
      calling("env", { name: "PATH" }),
      calling("fail"),
      { text: "done" },
    ]);
    const client = new OpenAI({ apiKey: "test", baseURL: `${server.url}/v1`, maxRetries: 0 });
    const tools = await langChainTools(host.session(), {
      schemas: "openai",
      decide: ({ tool }) => (tool.tool === "env" ? "deny" : "allow"),
    });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "go" }];
    for (;;) {
      const { choices } = await client.chat.completions.create({
        model: "any",
        messages,
        tools: tools.map((tool) => convertToOpenAITool(tool) as OpenAI.ChatCompletionTool),
      });
      const message = choices[0]?.message;
      const [call] = message?.tool_calls ?? [];
      if (message === undefined || call?.type !== "function") break;
      const tool = tools.find(({ name }) => name === call.function.name);
      const args = JSON.parse(call.function.arguments) as Record<string, unknown>;
      const answer = (await tool?.invoke({
        type: "tool_call",
        id: call.id,
        name: call.function.name,
        args,
      })) as {
        readonly content: string;
        readonly tool_call_id: string;
      };
      messages.push(message, { role: "tool", tool_call_id: answer.tool_call_id, content: answer.content });
    }
    expect({ refused: server.refused, results: server.results() }).toEqual({
      refused: [],
      results: ["hi", "MCP error: The call was not approved.", "Error: it went wrong"],
    });
  }));

test("an image is a content block, and the complete result is the message's artifact", () =>
  withHost(async (host) => {
    const tools = await langChainTools(host.session());
    const tool = tools.find(({ name }) => name === "mcp_tools_image");
    const message: unknown = await tool?.invoke({
      type: "tool_call",
      id: "1",
      name: "mcp_tools_image",
      args: {},
    });
    expect(message).toMatchObject({
      content: [
        { type: "text", text: PICTURE },
        { type: "image_url", image_url: { url: expect.stringMatching(PNG_URL) as string } },
      ],
      status: "success",
      artifact: { isError: false, details: { serverName: "tools", mcpToolName: "image" } },
    });
  }));

test("every provider's package sends an image as an image, and an error has its status", () =>
  withHost(async (host) => {
    const tools = await langChainTools(host.session());
    const invoke = async (name: string): Promise<ToolMessage> =>
      (await tools
        .find((tool) => tool.name === name)
        ?.invoke({ type: "tool_call", id: name, name, args: {} })) as ToolMessage;
    const results = await Promise.all(["mcp_tools_image", "mcp_tools_fail"].map(invoke));
    expect(results.map(({ status }) => status)).toEqual(["success", "error"]);
    const calls = new AIMessage({
      content: "",
      tool_calls: results.map(({ name = "" }) => ({ id: name, name, args: {} })),
    });
    await using server = await startModel([{ text: "done" }, { text: "done" }, { text: "done" }]);
    const common = { apiKey: "test", maxRetries: 0 };
    const configuration = { baseURL: `${server.url}/v1` };
    for (const model of [
      new ChatOpenAI({ ...common, model: "gpt-5.1", configuration, useResponsesApi: true }),
      new ChatAnthropic({ ...common, model: "claude-opus-4-6", anthropicApiUrl: server.url }),
      new ChatGoogleGenerativeAI({ ...common, model: "gemini-3-pro", baseUrl: server.url }),
    ])
      await model.invoke([new HumanMessage("go"), calls, ...results]);
    const data = expect.stringMatching(/^iVBOR/) as string;
    expect({ refused: server.refused, sent: server.resultsOf() }).toEqual({
      refused: [],
      sent: [
        [
          [
            { type: "input_text", text: PICTURE },
            { type: "input_image", detail: "auto", image_url: expect.stringMatching(PNG_URL) as string },
          ],
          "Error: it went wrong",
        ],
        [
          [
            { type: "text", text: PICTURE },
            { type: "image", source: { type: "base64", media_type: "image/png", data } },
          ],
          "Error: it went wrong", // this package does not send the status
        ],
        [
          { result: [{ text: PICTURE }, { inlineData: { mimeType: "image/png", data } }] },
          { error: { details: "Error: it went wrong" } },
        ],
      ],
    });
  }));

test("aborting cancels the call at the server", () =>
  withHost(async (host, { start, cancel }) => {
    const tools = await langChainTools(host.session());
    const stop = new AbortController();
    const running = tools
      .find(({ name }) => name === "mcp_tools_slow")
      ?.invoke({ ms: 60_000 }, { signal: stop.signal });
    const ended = Promise.resolve(running).catch((error: unknown) => error);
    await eventuallyReads(start);
    stop.abort();
    expect(await ended).toBeInstanceOf(Error);
    expect(await eventuallyReads(cancel)).toBe("cancelled");
  }));

test("a server's patterns do not block LangChain", async () => {
  const hostile: AgentTool = {
    name: "mcp_bad_tool",
    title: "tool",
    description: "",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", pattern: "^(a+)+$" },
        keys: {
          type: "object",
          patternProperties: { "^(a+)+$": { type: "string" } },
          additionalProperties: false,
        },
      },
    },
    server: "bad",
    tool: "tool",
    approval: "allow",
    stale: false,
    execute: async (args) => ({
      text: Object.keys(args).join(" "),
      parts: [],
      isError: false,
      details: {
        serverName: "bad",
        mcpToolName: "tool",
        provider: "test",
        source: {} as ToolResult["details"]["source"],
      },
    }),
  };
  const evil = `${"a".repeat(20)}!`; // long enough for the host to reject it, short enough not to hang
  const [tool] = await langChainTools([hostile]);
  expect(await tool?.invoke({ text: evil, keys: { [evil]: "x" } })).toBe("text keys");
});
