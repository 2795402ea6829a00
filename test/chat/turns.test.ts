import { describe, expect, test } from "vitest";
import type { ChatEvent } from "../../src/surfaces/tui/chat/chat-event.ts";
import { serveHttp } from "../../src/testing/index.ts";
import { startModel } from "../adapters/model-server.ts";
import { calling, withHost } from "../adapters/tools-host.ts";
import { eventuallyReads, hostIn } from "../flow/host-in.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { callsIn, talkTo } from "./talk.ts";

/** The rule of a server whose tools run without approval. */
const UNASKED = { approval: "allow" } as const;

const ended = (events: readonly ChatEvent[]): unknown[] =>
  events.flatMap((event) =>
    event.type === "call.ended" ? [{ tool: event.tool, text: event.text, isError: event.isError }] : [],
  );

/** A model of each kind of API, and the environment that points to it. */
const APIS: readonly (readonly [model: string, envAt: (url: string) => Record<string, string>])[] = [
  ["anthropic/claude-test", (url) => ({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url })],
  ["openai/gpt-test", (url) => ({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${url}/v1` })],
  ["ollama/test", (url) => ({ OLLAMA_HOST: url })],
];

describe.each(APIS)("a turn with %s", (asked, envAt) => {
  test("calls a real server, and the next turn includes the result", () =>
    withHost(async (host) => {
      await using server = await startModel([
        calling("echo", { text: "hello" }),
        { text: "It said hello." },
        { text: "As before." },
      ]);
      const talk = talkTo(host, server, { asked, env: envAt(server.url) });
      expect(await talk.say("go")).toEqual({ kind: "done" });
      expect(talk.events).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            type: "call.started",
            server: "tools",
            tool: "echo",
            args: { text: "hello" },
          }),
          expect.objectContaining({ type: "call.ended", text: "hello", isError: false }),
        ]),
      );
      expect(await talk.say("again")).toEqual({ kind: "done" });
      expect({ text: talk.text(), refused: server.refused }).toEqual({
        text: "It said hello.As before.",
        refused: [],
      });
      const last = JSON.stringify(server.requests.at(-1));
      expect(last).toMatch(/go.*hello.*It said hello\..*again/s);
      expect(last).toContain("Call echo to hear yourself.");
      expect(server.offered()[0]).toContain("mcp_tools_echo");
    }));
});

test("a turn with Google, with the base URL from the settings", async () => {
  await using sandbox = await createSandbox();
  await using server = await startModel([calling("echo", { text: "hello" }), { text: "It said hello." }]);
  await using host = await hostIn(sandbox, {
    discover: false,
    servers: { tools: stdioServer("tools-server.mjs") },
    settings: { modelProviders: { google: { baseURL: `${server.url}/v1beta` } } },
  });
  const talk = talkTo(host, server, { asked: "gemini-test", env: { GEMINI_API_KEY: "k" } });
  expect(await talk.say("go")).toEqual({ kind: "done" });
  expect({ text: talk.text(), refused: server.refused }).toEqual({ text: "It said hello.", refused: [] });
  expect(JSON.stringify(server.results())).toContain("hello");
});

test("a tool whose schema has no type can be used with every kind of API", async () => {
  await using odd = await serveHttp({
    name: "odd",
    version: "1.0.0",
    tools: {
      hello: { inputSchema: { $schema: "http://json-schema.org/draft-07/schema#" }, run: () => "hi there" },
    },
  });
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, {
    discover: false,
    servers: { odd: { url: odd.url, ...UNASKED } },
  });
  for (const [asked, envAt] of APIS) {
    await using server = await startModel([
      { calls: [{ name: "mcp_odd_hello", args: {} }] },
      { text: "Done." },
    ]);
    const talk = talkTo(host, server, { asked, env: envAt(server.url) });
    expect(await talk.say("go")).toEqual({ kind: "done" });
    expect({ text: talk.text(), refused: server.refused }).toEqual({ text: "Done.", refused: [] });
    expect(JSON.stringify(server.results())).toContain("hi there");
  }
});

test("several calls of one step run in parallel, and each gets its result", () =>
  withHost(async (host, { start }) => {
    await using server = await startModel([
      {
        calls: [
          { name: "mcp_tools_slow", args: { ms: 300 } },
          { name: "mcp_tools_echo", args: { text: "quick" } },
          { name: "mcp_tools_fail", args: {} },
        ],
      },
      { text: "done" },
    ]);
    const talk = talkTo(host, server);
    await talk.say("go");
    expect(await eventuallyReads(start)).toBe("started");
    expect(talk.events.map(({ type }) => type).slice(0, 3)).toEqual([
      "call.started",
      "call.started",
      "call.started",
    ]);
    expect(ended(talk.events)).toEqual(
      expect.arrayContaining([
        { tool: "slow", text: "waited 300 ms", isError: false },
        { tool: "echo", text: "quick", isError: false },
        { tool: "fail", text: "Error: it went wrong", isError: true },
      ]),
    );
    expect(ended(talk.events).at(-1)).toMatchObject({ tool: "slow" });
    expect(server.refused).toEqual([]);
  }, UNASKED));

test("progress is reported while a call runs", () =>
  withHost(async (host) => {
    await using server = await startModel([calling("progress", { steps: 3 }), { text: "done" }]);
    const talk = talkTo(host, server);
    await talk.say("go");
    expect(talk.events).toContainEqual({
      type: "call.progress",
      id: expect.any(String) as string,
      progress: { progress: 3, total: 3, message: "step 3 of 3" },
    });
  }, UNASKED));

test("cancelling a turn cancels its call at the server, and the conversation continues", () =>
  withHost(async (host, { start, cancel }) => {
    await using server = await startModel([
      {
        calls: [
          { name: "mcp_tools_slow", args: { ms: 60_000 } },
          { name: "mcp_tools_echo", args: { text: "kept" } },
        ],
      },
      { text: "Good again." },
    ]);
    const talk = talkTo(host, server);
    const stop = new AbortController();
    const turn = talk.say("go", stop.signal);
    await eventuallyReads(start);
    stop.abort();
    expect(await turn).toEqual({ kind: "aborted" });
    expect(await eventuallyReads(cancel)).toBe("cancelled");
    const { calls, answers } = callsIn(talk.conversation.messages);
    expect({ count: calls.length, answers }).toEqual({ count: 2, answers: calls });
    expect(ended(talk.events)).toContainEqual({
      tool: "slow",
      text: expect.stringMatching(/cancelled|aborted/) as string,
      isError: true,
    });
    expect(await talk.say("and now?")).toEqual({ kind: "done" });
    expect({ text: talk.text(), refused: server.refused }).toEqual({ text: "Good again.", refused: [] });
  }, UNASKED));

test("cancelling a turn before the answer keeps the user's message", () =>
  withHost(async (host) => {
    const stop = new AbortController();
    await using server = await startModel([
      () => {
        stop.abort();
        return { text: "never heard" };
      },
      { text: "yes" },
    ]);
    const talk = talkTo(host, server);
    expect(await talk.say("first", stop.signal)).toEqual({ kind: "aborted" });
    await talk.say("second");
    expect(JSON.stringify(server.requests.at(-1))).toMatch(/first.*second/s);
  }));

test("a call without approval is not made, and the model gets the reason", () =>
  withHost(
    async (host) => {
      await using server = await startModel([calling("echo", { text: "hi" }), { text: "I may not." }]);
      const talk = talkTo(host, server);
      expect(await talk.say("go")).toEqual({ kind: "done" });
      expect(server.results()).toEqual([expect.stringMatching(/^MCP error: .*needs your approval/)]);
      expect(talk.text()).toBe("I may not.");
    },
    { approval: { echo: "ask" } },
  ));

test("a model that never finishes is stopped, and its messages are kept", () =>
  withHost(async (host) => {
    await using server = await startModel(Array.from({ length: 6 }, () => calling("echo", { text: "on" })));
    const talk = talkTo(host, server);
    expect(await talk.say("go")).toEqual({ kind: "limit", steps: 5 });
    const { calls, answers } = callsIn(talk.conversation.messages);
    expect({ count: calls.length, answers }).toEqual({ count: 5, answers: calls });
  }));

test("an unknown tool gets an error result, and the turn continues", () =>
  withHost(async (host) => {
    await using server = await startModel([
      { calls: [{ name: "mcp_tools_nothing", args: {} }] },
      { text: "Sorry." },
    ]);
    const talk = talkTo(host, server);
    expect(await talk.say("go")).toEqual({ kind: "done" });
    expect(ended(talk.events)).toMatchObject([{ tool: "mcp_tools_nothing", isError: true }]);
  }));

describe("a provider's failure is reported in plain language", () => {
  test.each([
    [
      401,
      "invalid x-api-key",
      {},
      /^anthropic\/claude-test rejected the API key \(401\): invalid/,
      "Check ANTHROPIC_API_KEY.",
    ],
    [
      404,
      "model: claude-test",
      {},
      /^anthropic\/claude-test was not found \(404\)/,
      expect.stringContaining("/model"),
    ],
    [
      429,
      "slow down",
      { "retry-after": "7" },
      /is rate-limiting requests \(429\): slow down/,
      "Try again in 7 s.",
    ],
    [
      400,
      "prompt is too long: 9 tokens",
      {},
      /too long for anthropic\/claude-test/,
      "/new starts a new one.",
    ],
    [500, "oops", {}, /^anthropic\/claude-test returned HTTP 500: oops/, undefined],
    [400, "key secret-key is bad", {}, /^(?!.*secret-key).*\[secret\]/, undefined],
  ])("%s %s", (status, message, headers, said, hint) =>
    withHost(async (host) => {
      await using server = await startModel([{ status, message, headers }, { text: "fine" }]);
      const env = { ANTHROPIC_API_KEY: "secret-key", ANTHROPIC_BASE_URL: server.url };
      const talk = talkTo(host, server, { asked: "anthropic/claude-test", env });
      expect(await talk.say("go")).toMatchObject({
        kind: "failed",
        error: { code: "MODEL_FAILED", message: expect.stringMatching(said) as string, hint },
      });
      expect(talk.conversation.messages).toEqual([]);
      expect(await talk.say("go")).toEqual({ kind: "done" });
    }),
  );

  test("an unreachable provider", () =>
    withHost(async (host) => {
      const talk = talkTo(host, { url: "http://127.0.0.1:1" });
      expect(await talk.say("go")).toMatchObject({
        kind: "failed",
        error: {
          message: expect.stringMatching(/^ollama\/test cannot be reached at 127\.0\.0\.1:1/) as string,
          hint: "Is ollama running?",
        },
      });
    }));
});

test("a turn waits a limited time for a slow server, then runs without it", async () => {
  await using sandbox = await createSandbox();
  const slow = { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] };
  await using host = await hostIn(sandbox, { discover: false, servers: { slow } });
  await using server = await startModel([{ text: "Hello." }]);
  const talk = talkTo(host, server, { waitMs: 50 });
  const absent: string[] = [];
  await talk.conversation.say([{ role: "user", content: "hi" }], {
    signal: new AbortController().signal,
    onEvent: () => undefined,
    onAbsent: (servers) => absent.push(...servers.map(({ name, state }) => `${name} ${state}`)),
  });
  expect(absent).toEqual(["slow connecting"]);
});
