import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../model/index.ts";
import { readSampling, toSamplingResult } from "./sampling.ts";

const text = { type: "text", text: "Hello" };
const REQUEST: JsonObject = { maxTokens: 100, messages: [{ role: "user", content: text }] };

const contentOf = (content: unknown) =>
  readSampling("files", { ...REQUEST, messages: [{ role: "user", content } as JsonObject] }).messages[0]
    ?.content;

describe("a sampling request", () => {
  test("requires messages and maxTokens, and includes the server's name", () => {
    expect(readSampling("files", REQUEST)).toStrictEqual({
      server: "files",
      messages: [{ role: "user", content: [text] }],
      maxTokens: 100,
    });
  });

  test("keeps every optional member of the right type", () => {
    const optional = {
      systemPrompt: "Be brief.",
      temperature: 0,
      stopSequences: ["end"],
      modelPreferences: { hints: [] },
      tools: [{ name: "read" }],
      toolChoice: { mode: "auto" },
      metadata: { a: 1 },
    };
    expect(readSampling("files", { ...REQUEST, ...optional })).toMatchObject(optional);
  });

  test("drops every optional member of another type", () => {
    const wrong = {
      systemPrompt: 1,
      temperature: "0",
      stopSequences: "end",
      modelPreferences: [],
      toolChoice: "auto",
      metadata: null,
    };
    expect(readSampling("files", { ...REQUEST, ...wrong })).toStrictEqual(readSampling("files", REQUEST));
    const { stopSequences } = readSampling("files", { ...REQUEST, stopSequences: ["a", 1, null, "b"] });
    expect(stopSequences).toEqual(["a", "b"]);
  });

  test.each([
    ["no number of tokens", { maxTokens: undefined }, "maxTokens must be a number"],
    ["tokens as text", { maxTokens: "100" }, "maxTokens must be a number"],
    ["no tokens at all", { maxTokens: 0 }, "maxTokens must be a number"],
    ["no messages", { messages: undefined }, "messages must be a list of objects"],
    ["messages that are text", { messages: ["hello"] }, "messages must be a list of objects"],
    ["tools that are not a list", { tools: {} }, "tools must be a list of objects"],
    ["a message of the system", { messages: [{ role: "system", content: text }] }, "a message has no role"],
    [
      "a message without content",
      { messages: [{ role: "user" }] },
      "the content of a message must be a list of objects",
    ],
    [
      "text without text",
      { messages: [{ role: "user", content: { type: "text" } }] },
      "a message contains content of an unknown type",
    ],
  ])("with %s is refused as invalid, with the reason", (_, change, why) => {
    expect(() => readSampling("files", { ...REQUEST, ...change } as JsonObject)).toThrow(
      expect.objectContaining({
        code: -32602,
        message: `Invalid sampling request: ${why}.`,
      }),
    );
  });

  test("accepts messages of both roles, with one block or several", () => {
    const messages = [
      { role: "user", content: text },
      { role: "assistant", content: [text, text] },
    ];
    expect(readSampling("files", { ...REQUEST, messages }).messages).toEqual([
      { role: "user", content: [text] },
      { role: "assistant", content: [text, text] },
    ]);
  });

  test.each([
    ["an image", { type: "image", data: "AA==", mimeType: "image/png" }],
    ["a sound", { type: "audio", data: "AA==", mimeType: "audio/wav" }],
    ["the use of a tool", { type: "tool_use", id: "1", name: "read", input: { path: "a" } }],
    [
      "the result of a tool",
      { type: "tool_result", toolUseId: "1", content: [text], structuredContent: { a: 1 }, isError: false },
    ],
  ])("accepts %s without its unknown members", (_, block) => {
    expect(contentOf({ ...block, unknown: true })).toStrictEqual([block]);
  });

  test.each([
    ["arguments of a tool", { type: "tool_use", id: "1", name: "read", input: {} }, { input: "path" }],
    [
      "what a tool answered",
      { type: "tool_result", toolUseId: "1", content: [] },
      { content: undefined, structuredContent: [], isError: "no" },
    ],
  ])("may lack %s", (_, expected, change) => {
    expect(contentOf({ ...expected, ...change })).toStrictEqual([expected]);
  });

  test.each([
    ["an image without data", { type: "image", mimeType: "image/png" }],
    ["an image without a type", { type: "image", data: "AA==" }],
    ["a sound without data", { type: "audio", mimeType: "audio/wav" }],
    ["a block without a type", { text: "a", id: "1", name: "read", toolUseId: "1", data: "", mimeType: "" }],
    ["the use of a tool without an id", { type: "tool_use", name: "read" }],
    ["the use of a tool without a name", { type: "tool_use", id: "1" }],
    ["the result of an unnamed use", { type: "tool_result", content: [] }],
    ["a video", { type: "video", text: "a", data: "AA==", mimeType: "video/mp4" }],
  ])("with %s is refused", (_, block) => {
    expect(() => contentOf(block)).toThrow("a message contains content of an unknown type");
  });

  test("with the result of a tool that is text is refused", () => {
    expect(() => contentOf({ type: "tool_result", toolUseId: "1", content: "done" })).toThrow(
      "the content of a tool's result must be a list of objects",
    );
  });
});

test("a sampling request may have 10,000 messages, tools and blocks, and 1,000 stop sequences", () => {
  const many = (count: number): JsonObject[] => Array.from({ length: count }, () => ({ name: "a", ...text }));
  const [most, more] = [many(10_000), many(10_001)];
  const message = { role: "user", content: text };
  const read = (change: JsonObject) => readSampling("files", { ...REQUEST, ...change });
  expect(read({ messages: most.map(() => message), tools: most }).messages).toHaveLength(10_000);
  expect(contentOf(most)).toHaveLength(10_000);
  expect(() => read({ messages: more.map(() => message) })).toThrow("messages must have at most 10000 items");
  expect(() => read({ tools: more })).toThrow("tools must have at most 10000 items");
  expect(() => contentOf(more)).toThrow("the content of a message must have at most 10000 items");
  const stopSequences = Array.from({ length: 1_001 }, (_, index) => `s${index}`);
  expect(read({ stopSequences }).stopSequences).toEqual(stopSequences.slice(0, 1_000));
});

test("the result of a sampling request has the assistant role, and a stop reason only if there is one", () => {
  const content = { type: "text", text: "Hi" } as const;
  expect(toSamplingResult({ content, model: "m" })).toStrictEqual({
    role: "assistant",
    content,
    model: "m",
  });
  expect(toSamplingResult({ content, model: "m", stopReason: "endTurn" })).toEqual({
    role: "assistant",
    content,
    model: "m",
    stopReason: "endTurn",
  });
});

describe("a sampling request that is too large to show", () => {
  const many = Array.from({ length: 200_000 }, (_, at) => at);
  test.each<[string, JsonObject]>([
    ["settings", { modelPreferences: { many } }],
    ["metadata", { metadata: { many } }],
    ["tools", { tools: [{ name: "a", inputSchema: { enum: many } }] }],
    [
      "the input of a tool",
      { messages: [{ role: "user", content: { type: "tool_use", id: "1", name: "a", input: { many } } }] },
    ],
    [
      "nested settings",
      { toolChoice: JSON.parse(`${'{"a":'.repeat(100)}1${"}".repeat(100)}`) as JsonObject },
    ],
  ])("because of %s is refused", (_, params) => {
    expect(() => readSampling("files", { ...REQUEST, ...params })).toThrow("are too large");
  });

  test("is not refused because of long texts and media", () => {
    const long = "x".repeat(5_000_000);
    const content = [
      { type: "image", data: long, mimeType: "image/png" },
      { type: "text", text: long },
    ];
    expect(
      readSampling("files", { ...REQUEST, systemPrompt: long, messages: [{ role: "user", content }] })
        .messages,
    ).toHaveLength(1);
  });
});
