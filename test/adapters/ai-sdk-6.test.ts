import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, type LanguageModel, type ModelMessage, stepCountIs, streamText } from "ai";
import { describe, expect, test } from "vitest";
import { type AiSdkOutput, aiSdkTools } from "../../src/adapters/ai-sdk/index.ts";
import { eventuallyReads } from "../flow/host-in.ts";
import { startModel } from "./model-server.ts";
import { calling, PICTURE, withHost } from "./tools-host.ts";

const stopWhen = stepCountIs(5);
const options = { schemas: "anthropic" } as const;

const modelOf = (url: string): LanguageModel =>
  createAnthropic({ apiKey: "test", baseURL: `${url}/v1` })("claude-opus-4-6");

describe("the AI SDK 6", () => {
  test("calls tools and receives images", () =>
    withHost(async (host) => {
      await using server = await startModel([
        calling("echo", { text: "hi" }),
        calling("image"),
        { text: "done" },
      ]);
      const { tools } = await aiSdkTools(host.session(), options);
      const model = modelOf(server.url);
      const { text } = await generateText({ model, tools, prompt: "go", stopWhen });
      expect({ text, refused: server.refused }).toEqual({ text: "done", refused: [] });
      expect(server.results()).toEqual([
        "hi",
        [{ type: "text", text: PICTURE }, expect.objectContaining({ type: "image" })],
      ]);
    }));

  test("asks about a call that the host's rules require approval for, and makes it after approval", () =>
    withHost(
      async (host) => {
        await using server = await startModel([calling("echo", { text: "hello" }), { text: "done" }]);
        const { tools } = await aiSdkTools(host.session(), options);
        const model = modelOf(server.url);
        const first = await generateText({ model, tools, prompt: "go", stopWhen });
        const asked = first.content.find((part) => part.type === "tool-approval-request");
        const approvalId = asked?.approvalId ?? "";
        expect({ isAsked: asked !== undefined, results: server.results() }).toEqual({
          isAsked: true,
          results: [],
        });
        const messages: ModelMessage[] = [
          { role: "user", content: "go" },
          ...first.response.messages,
          { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: true }] },
        ];
        const { text } = await generateText({ model, tools, messages, stopWhen });
        expect({ text, results: server.results() }).toEqual({ text: "done", results: ["hello"] });
      },
      { approval: "ask" },
    ));

  test("receives progress as preliminary results", () =>
    withHost(async (host) => {
      await using server = await startModel([calling("progress", { steps: 3 }), { text: "done" }]);
      const { tools } = await aiSdkTools(host.session(), { ...options, streamProgress: true });
      const { fullStream } = streamText({ model: modelOf(server.url), tools, prompt: "go", stopWhen });
      const heard: unknown[] = [];
      for await (const part of fullStream)
        if (part.type === "tool-result")
          heard.push({ text: (part.output as AiSdkOutput).text, preliminary: part.preliminary ?? false });
      expect(heard).toContainEqual({ text: "step 3 of 3", preliminary: true });
      expect(heard.at(-1)).toEqual({ text: "3 steps done", preliminary: false });
    }));

  test("cancels the call at the server when the generation is aborted", () =>
    withHost(async (host, { start, cancel }) => {
      await using server = await startModel([calling("slow", { ms: 60_000 }), { text: "never" }]);
      const { tools } = await aiSdkTools(host.session(), options);
      const stop = new AbortController();
      const abortSignal = stop.signal;
      const model = modelOf(server.url);
      const ended = generateText({ model, tools, prompt: "go", stopWhen, abortSignal }).catch(
        (error: unknown) => error,
      );
      await eventuallyReads(start);
      stop.abort();
      expect(await eventuallyReads(cancel)).toBe("cancelled");
      await ended;
    }));
});
