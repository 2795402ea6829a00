import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, type LanguageModel, streamText, type ToolSet, toolSearch } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { type AiSdkTools, aiSdkTools, type SchemaRules } from "../../../src/adapters/ai-sdk/index.ts";
import type { AgentTool, Session } from "../../../src/index.ts";
import { startModel } from "../../adapters/model-server.ts";
import { calling, withHost } from "../../adapters/tools-host.ts";
import type { Turn } from "../../adapters/wire.ts";
import { eventuallyReads, hostIn, PATIENTLY } from "../../flow/host-in.ts";
import { createSandbox } from "../../support/sandbox.ts";
import { stdioServer } from "../../support/test-servers.ts";

// Silences the SDK's warning that these providers use an older specification.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const stopWhen = isStepCount(5);
const key = { apiKey: "test" };

const PROVIDERS: readonly [string, SchemaRules, (url: string) => LanguageModel][] = [
  [
    "openai responses",
    "openai",
    (url) => createOpenAI({ ...key, baseURL: `${url}/v1` }).responses("gpt-5.1"),
  ],
  ["openai chat", "openai-strict", (url) => createOpenAI({ ...key, baseURL: `${url}/v1` }).chat("gpt-5.1")],
  ["anthropic", "anthropic", (url) => createAnthropic({ ...key, baseURL: `${url}/v1` })("claude-opus-4-6")],
  [
    "google",
    "gemini",
    (url) => createGoogleGenerativeAI({ ...key, baseURL: `${url}/v1beta` })("gemini-3-pro"),
  ],
  [
    "openai-compatible",
    "any",
    (url) => createOpenAICompatible({ name: "local", ...key, baseURL: `${url}/v1` })("any"),
  ],
];

describe.each(PROVIDERS)("a model loop with %s", (_, schemas, modelAt) => {
  test("calls tools, receives their results and responds", () =>
    withHost(async (host) => {
      await using server = await startModel([
        calling("echo", { text: "hello" }),
        calling("fail"),
        { text: "done" },
      ]);
      const { tools } = await aiSdkTools(host.session(), { schemas });
      const { text, steps } = await generateText({
        model: modelAt(server.url),
        tools,
        prompt: "go",
        stopWhen,
      });
      expect({ text, steps: steps.length, refused: server.refused }).toEqual({
        text: "done",
        steps: 3,
        refused: [],
      });
      expect(JSON.stringify(server.results())).toMatch(/hello.*Error: it went wrong/s);
      expect(server.offered()[0]).toContain("mcp_tools_echo");
    }));
});

/** Returns the response of a scripted model with the SDK's own interface. */
function generated(turn: Turn = { text: "" }): Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>> {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  return {
    content:
      "text" in turn
        ? [{ type: "text", text: turn.text }]
        : turn.calls.map(({ name, args }) => ({
            type: "tool-call",
            toolCallId: name,
            toolName: name,
            input: JSON.stringify(args),
          })),
    finishReason: { unified: "text" in turn ? "stop" : "tool-calls", raw: undefined },
    usage: { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } },
    warnings: [],
  };
}

/** Returns the tools' results in the last prompt. */
function outputsIn({ doGenerateCalls }: MockLanguageModelV4): unknown[] {
  return (doGenerateCalls.at(-1)?.prompt ?? []).flatMap((message) =>
    message.role === "tool"
      ? message.content.map((part) => (part.type === "tool-result" ? part.output : part))
      : [],
  );
}

const modelOf = (url: string): LanguageModel =>
  createOpenAICompatible({ name: "local", ...key, baseURL: `${url}/v1` })("any");

test("a model receives images as images, and only the description of audio", () =>
  withHost(async (host) => {
    const turns = [calling("image"), calling("audio"), { text: "done" }];
    const model = new MockLanguageModelV4({ doGenerate: async () => generated(turns.shift()) });
    const { tools } = await aiSdkTools(host.session());
    await generateText({ model, tools, prompt: "go", stopWhen });
    expect(outputsIn(model)).toEqual([
      {
        type: "content",
        value: [
          {
            type: "text",
            text: expect.stringMatching(/^\[image: image\/png, \d+ bytes, saved to .+\]$/) as string,
          },
          {
            type: "file",
            mediaType: "image/png",
            data: { type: "data", data: expect.stringMatching(/^iVBOR/) as string },
            filename: "image.png",
          },
        ],
      },
      {
        type: "text",
        value: expect.stringMatching(/^\[audio: audio\/wav, \d+ bytes, saved to .+\]$/) as string,
      },
    ]);
  }));

test("progress arrives as preliminary results while the tool runs", () =>
  withHost(async (host) => {
    await using server = await startModel([calling("progress", { steps: 3 }), { text: "done" }]);
    const { tools } = await aiSdkTools(host.session(), { streamProgress: true });
    const heard: { readonly text: string; readonly preliminary: boolean }[] = [];
    const { stream } = streamText({ model: modelOf(server.url), tools, prompt: "go", stopWhen });
    for await (const part of stream) {
      if (part.type !== "tool-result") continue;
      heard.push({ text: (part.output as { text: string }).text, preliminary: part.preliminary === true });
    }
    expect(heard.at(-1)).toEqual({ text: "3 steps done", preliminary: false });
    expect(
      heard.filter(({ text }) => /^step \d of 3$/.test(text)).every(({ preliminary }) => preliminary),
    ).toBe(true);
    expect(heard.map(({ text }) => text)).toContain("step 3 of 3");
  }));

test("aborting the generation cancels the call at the server", () =>
  withHost(async (host, { start, cancel }) => {
    await using server = await startModel([calling("slow", { ms: 60_000 }), { text: "never" }]);
    const { tools } = await aiSdkTools(host.session());
    const stop = new AbortController();
    const generation = generateText({
      model: modelOf(server.url),
      tools,
      prompt: "go",
      stopWhen,
      abortSignal: stop.signal,
    });
    const ended = generation.catch((error: unknown) => error);
    await eventuallyReads(start);
    stop.abort();
    expect(await eventuallyReads(cancel)).toBe("cancelled");
    await ended;
  }));

test("a call that requires approval waits for it, and a denied call is not made", () =>
  withHost(async (host) => {
    await using server = await startModel([
      calling("env", { name: "PATH" }),
      calling("echo", { text: "hello" }),
      { text: "done" },
    ]);
    const { tools } = await aiSdkTools(host.session(), {
      decide: ({ tool, input }) =>
        tool.tool === "env" ? "deny" : input["text"] === "hello" ? "ask" : "allow",
    });
    const model = modelOf(server.url);
    const first = await generateText({ model, tools, prompt: "go", stopWhen });
    const asked = first.content.filter((part) => part.type === "tool-approval-request");
    expect({ asked: asked.length, results: server.results() }).toEqual({
      asked: 1,
      results: ["MCP error: The call was not approved."],
    });
    const approvalId = asked[0]?.approvalId ?? "";
    const { text } = await generateText({
      model,
      tools,
      stopWhen,
      messages: [
        { role: "user", content: "go" },
        ...first.responseMessages,
        { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: true }] },
      ],
    });
    expect({ text, results: server.results() }).toEqual({
      text: "done",
      results: ["MCP error: The call was not approved.", "hello"],
    });
  }));

test("the host's own rules use the SDK's approval, and a program cannot allow what they deny", () =>
  withHost(
    async (host) => {
      await using server = await startModel([calling("echo", { text: "hello" }), { text: "done" }]);
      const model = modelOf(server.url);
      const asking = await aiSdkTools(host.session());
      const first = await generateText({ model, tools: asking.tools, prompt: "go", stopWhen });
      const asked = first.content.find((part) => part.type === "tool-approval-request");
      const messages = [
        { role: "user" as const, content: "go" },
        ...first.responseMessages,
        {
          role: "tool" as const,
          content: [
            { type: "tool-approval-response" as const, approvalId: asked?.approvalId ?? "", approved: true },
          ],
        },
      ];
      await generateText({ model, tools: asking.tools, stopWhen, messages });
      expect(server.results()).toEqual(["hello"]);

      await using other = await startModel([calling("echo", { text: "hello" }), { text: "done" }]);
      const { tools } = await aiSdkTools(host.session(), { decide: () => "allow" });
      await generateText({ model: modelOf(other.url), tools, prompt: "go", stopWhen });
      expect(other.results()).toEqual([expect.stringMatching(/^MCP error: .*needs your approval/) as string]);
    },
    { approval: { echo: "ask" } },
  ));

test("the tools follow the session within one generation; a snapshot does not", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
  const session = host.session();
  const held: AiSdkTools = await aiSdkTools(session);
  const before = held.snapshot();
  await using server = await startModel([
    calling("echo", { text: "one" }),
    async () => {
      // A server is added while the model generates.
      await host.config.add({ name: "more", scope: "user", server: { ...stdioServer("tools-server.mjs") } });
      await session.tools(PATIENTLY);
      return calling("echo", { text: "two" });
    },
    { text: "done" },
  ]);
  await generateText({ model: modelOf(server.url), tools: held.tools, prompt: "go", stopWhen });
  const offered = server.offered();
  expect(offered.map((names) => names.includes("mcp_more_echo"))).toEqual([false, false, true]);
  expect({ before: "mcp_more_echo" in before, after: "mcp_more_echo" in held.snapshot() }).toEqual({
    before: false,
    after: true,
  });
  expect(() => Object.assign(held.tools, { mine: 1 })).toThrow(TypeError);
});

test("a model finds deferred tools", () =>
  withHost(async (host) => {
    await using server = await startModel([
      { calls: [{ name: "find", args: { query: "adding numbers" } }] },
      calling("add", { a: 1, b: 2 }),
      { text: "done" },
    ]);
    const { tools, searchWith } = await aiSdkTools(host.session(), { deferLoading: true });
    const all: ToolSet = {
      ...tools,
      find: toolSearch({ search: searchWith((query) => host.search(query)) }),
    };
    await generateText({ model: modelOf(server.url), tools: all, prompt: "go", stopWhen });
    const [first = [], second = []] = server.offered();
    expect({ first, isFound: second.includes("mcp_tools_add"), results: server.results().at(-1) }).toEqual({
      first: ["find"],
      isFound: true,
      results: "3",
    });
  }));

test("a schema is converted once, at its first use", async () => {
  let conversions = 0;
  const tool = (name: string): AgentTool =>
    ({
      name,
      title: name,
      description: "",
      get inputSchema() {
        conversions += 1;
        return { type: "object" };
      },
    }) as unknown as AgentTool;
  let held = [tool("a")];
  const session = { tools: async () => held, snapshot: () => ({ tools: held }) } as unknown as Session;
  const { snapshot } = await aiSdkTools(session, { schemas: "openai" });
  expect(conversions).toBe(1); // in advance, in slices
  const before = snapshot();
  held = [...held, tool("b")];
  const after = snapshot();
  expect(after["a"]).toBe(before["a"]);
  expect(conversions).toBe(1);
  expect(after["b"]?.inputSchema).toBe(after["b"]?.inputSchema);
  expect(conversions).toBe(2);
});
