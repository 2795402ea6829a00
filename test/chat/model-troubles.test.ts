import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { startModel } from "../adapters/model-server.ts";
import { failureOf, hostIn } from "../flow/host-in.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { inChat } from "./in-chat.ts";
import { talkTo } from "./talk.ts";

describe("a model key that settings.json names and that is not set", () => {
  const settings = (url: string) => ({
    model: "work/m",
    modelProviders: { work: { baseURL: `${url}/v1`, apiKey: "env:WORK_LLM_KEY" } },
  });

  test("is reported before anything is sent", async () => {
    await using model = await startModel([{ text: "never" }]);
    await inChat(
      [],
      async ({ enter }) => {
        expect(await failureOf(enter("hello"))).toMatchObject({
          code: "MODEL_UNKNOWN",
          message: "WORK_LLM_KEY is not set.",
          hint: expect.stringContaining('"work"') as string,
        });
        expect(model.requests).toEqual([]);
      },
      { env: {}, host: { settings: settings(model.url) } },
    );
  });

  test("is named by /model, which does not call the provider ready", () =>
    inChat(
      [],
      async ({ enter, screen, parts }) => {
        await enter("/model");
        expect(screen.printed[0]).toMatch(/^WORK_LLM_KEY is not set\./);
        expect((await parts.models.suggestions()).find(({ text }) => text === "work/")).toEqual({
          text: "work/",
          isReady: false,
          note: "WORK_LLM_KEY is not set",
        });
      },
      { env: {}, host: { settings: settings("http://127.0.0.1:1") } },
    ));

  test("does not block other providers", () =>
    inChat([], async ({ parts }) => expect(parts.models.name()).toMatch(/^openai\//), {
      env: { OPENAI_API_KEY: "k" },
      host: { settings: { modelProviders: settings("http://127.0.0.1:1").modelProviders } },
    }));

  test("is also reported if it is a missing stored secret", () =>
    inChat(
      [],
      async ({ enter }) =>
        expect(await failureOf(enter("hello"))).toMatchObject({
          message: 'Secret "claude" not found.',
          hint: expect.stringContaining("plugboard secret set claude") as string,
        }),
      {
        env: {},
        host: {
          settings: { model: "anthropic", modelProviders: { anthropic: { apiKey: "keychain:claude" } } },
        },
      },
    ));
});

test("without a key, requests have no Authorization header", async () => {
  const headers: (string | undefined)[] = [];
  await using server = await listen((request, response) => {
    headers.push(request.headers.authorization);
    response.writeHead(500).end();
  });
  await inTalk(server.url, async (talk) => void (await talk.say("go")));
  expect(headers).toEqual([undefined]);
});

describe("an invalid response is described without the client library's error names", () => {
  const page = "<!doctype html><html><body>Sign in to the company portal</body></html>";
  const cases: readonly (readonly [string, string, string, RegExp])[] = [
    ["a web page", "text/html; charset=utf-8", page, /^ollama\/test returned a web page/],
    [
      "a web page with a stream's content type",
      "text/event-stream",
      page,
      /^ollama\/test stopped before its answer was complete/,
    ],
    ["nothing", "text/event-stream", "", /^ollama\/test stopped before its answer was complete/],
    [
      "broken JSON in a stream",
      "text/event-stream",
      "data: {oops\n\n",
      /^ollama\/test sent an answer that could not be parsed/,
    ],
    [
      "JSON of another shape",
      "text/event-stream",
      'data: {"hello":1}\n\n',
      /^ollama\/test sent an answer that could not be parsed/,
    ],
    ["an error page of a gateway", "text/html", page, /^ollama\/test returned a web page/],
  ];
  test.each(cases)("%s", async (_name, type, body, message) => {
    await using server = await listen((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": type }).end(body);
    });
    await inTalk(server.url, async (talk) => {
      const end = await talk.say("go");
      expect(end).toMatchObject({
        kind: "failed",
        error: { code: "MODEL_FAILED", message: expect.stringMatching(message) as string },
      });
      expect(JSON.stringify(end)).not.toMatch(/AI_|successful response|finish reason|Zod|validation/i);
    });
  });

  test("nothing, with a status for that", async () => {
    await using server = await listen((request, response) => {
      request.resume();
      response.writeHead(204).end();
    });
    await inTalk(server.url, async (talk) => {
      expect(await talk.say("go")).toMatchObject({
        kind: "failed",
        error: { message: "ollama/test stopped before its answer was complete" },
      });
    });
  });

  test("a page with an error status", async () => {
    await using server = await listen((request, response) => {
      request.resume();
      response.writeHead(502, { "content-type": "text/html" }).end(page);
    });
    await inTalk(server.url, async (talk) => {
      expect(await talk.say("go")).toMatchObject({
        kind: "failed",
        error: { message: expect.stringMatching(/^ollama\/test returned HTTP 502/) as string },
      });
    });
  });
});

describe("an invalid call is described without the client library's error names", () => {
  test("a tool that does not exist", () =>
    inChat(
      [{ calls: [{ name: "mcp_tools_nothing", args: {} }] }, { text: "Sorry." }],
      async ({ enter, screen }) => {
        await enter("go");
        expect(screen.printed.join("\n")).toContain('Unknown tool "mcp_tools_nothing".');
        expect(screen.printed.join("\n")).not.toMatch(/AI_|unavailable tool/);
      },
    ));

  test("arguments that are not JSON", async () => {
    await using server = await listen((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "text/event-stream" });
      const call = {
        index: 0,
        id: "c1",
        type: "function",
        function: { name: "mcp_tools_echo", arguments: "{oops" },
      };
      const chunk = (delta: object, finish: string | null = null) =>
        `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.end(
        `${chunk({ role: "assistant", tool_calls: [call] })}${chunk({}, "tool_calls")}data: [DONE]\n\n`,
      );
    });
    await inTalk(server.url, async (talk) => {
      await talk.say("go");
      const texts = talk.events.flatMap((event) => (event.type === "call.ended" ? [event.text] : []));
      expect(texts[0]).toMatch(/^The arguments of "mcp_tools_echo" are not valid JSON/);
      expect(texts.join("\n")).not.toContain("AI_");
    });
  });
});

async function inTalk(url: string, use: (talk: ReturnType<typeof talkTo>) => Promise<void>): Promise<void> {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, {
    discover: false,
    servers: { tools: stdioServer("tools-server.mjs") },
  });
  await host.connectAll();
  await use(talkTo(host, { url }));
}

async function listen(answer: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
