import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, test } from "vitest";
import { anthropicTools } from "../../src/adapters/anthropic/index.ts";
import { type ModelServer, startModel } from "./model-server.ts";
import { calling, PICTURE, SOUND, withHost } from "./tools-host.ts";

const clientOf = ({ url }: ModelServer): Anthropic =>
  new Anthropic({ apiKey: "test", baseURL: url, maxRetries: 0 });
const request = { model: "claude-opus-4-6", max_tokens: 1_000 };
const picture = [
  { type: "text", text: PICTURE },
  {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: expect.stringMatching(/^iVBOR/) as string },
  },
];

describe("Anthropic's Messages", () => {
  test("a loop calls tools and receives their results", () =>
    withHost(async (host) => {
      await using server = await startModel([
        calling("echo", { text: "hi" }),
        calling("image"),
        calling("audio"),
        calling("fail"),
        { text: "done" },
      ]);
      const client = clientOf(server);
      const tools = anthropicTools(host.session(), { accepts: () => true });
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: "go" }];
      let message = await client.messages.create({ ...request, messages, tools: await tools.definitions() });
      while (message.stop_reason === "tool_use") {
        messages.push({ role: "assistant", content: message.content });
        messages.push({ role: "user", content: await tools.run(message.content) });
        message = await client.messages.create({ ...request, messages, tools: await tools.definitions() });
      }
      expect(server.refused).toEqual([]);
      expect(server.results()).toEqual([
        "hi",
        picture,
        SOUND,
        { content: "Error: it went wrong", isError: true },
      ]);
    }));

  test("the SDK's tool runner runs them", () =>
    withHost(async (host) => {
      await using server = await startModel([
        calling("image"),
        calling("fail"),
        calling("env", { name: "PATH" }),
        { text: "done" },
      ]);
      const { runnable } = anthropicTools(host.session(), {
        decide: ({ tool }) => (tool.tool === "env" ? "deny" : "allow"),
      });
      const runner = clientOf(server).beta.messages.toolRunner({
        ...request,
        messages: [{ role: "user", content: "go" }],
        tools: await runnable(),
      });
      const last = await runner.runUntilDone();
      expect({ said: last.content, refused: server.refused }).toEqual({
        said: [expect.objectContaining({ type: "text", text: "done" })],
        refused: [],
      });
      expect(server.results()).toEqual([
        picture,
        { content: "Error: it went wrong", isError: true },
        { content: "Error: MCP error: The call was not approved.", isError: true },
      ]);
    }));
});
