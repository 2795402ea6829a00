import { describe, expect, test } from "vitest";
import { USER } from "../../test/support/entries.ts";
import type { JsonObject, JsonValue } from "../model/index.ts";
import { toToolResult } from "./tool-result.ts";

const DETAILS = { serverName: "a", mcpToolName: "read", source: USER };
const BASE64 = Buffer.from("x".repeat(3_000)).toString("base64");
const result = (raw: JsonObject) => toToolResult(raw, DETAILS);

describe("content of a result", () => {
  test.each<[string, JsonObject, string]>([
    ["text", { type: "text", text: "hello" }, "hello"],
    ["an image", { type: "image", data: BASE64, mimeType: "image/png" }, "[image: image/png, 2.9 KB]"],
    ["audio", { type: "audio", data: "AAAA", mimeType: "audio/wav" }, "[audio: audio/wav, 3 bytes]"],
    [
      "an image of one byte",
      { type: "image", data: "QQ==", mimeType: "image/png" },
      "[image: image/png, 1 bytes]",
    ],
    [
      "an image without a type",
      { type: "image", data: "AAAA" },
      "[image: application/octet-stream, 3 bytes]",
    ],
    ["a link", { type: "resource_link", uri: "file:///a", name: "A" }, "[resource link: A <file:///a>]"],
    [
      "a link without a name",
      { type: "resource_link", uri: "file:///a" },
      "[resource link: file:///a <file:///a>]",
    ],
    [
      "a resource of text",
      { type: "resource", resource: { uri: "file:///a", text: "hello" } },
      "[resource: file:///a]\nhello",
    ],
    [
      "a resource of bytes",
      { type: "resource", resource: { uri: "file:///a", mimeType: "image/png", blob: BASE64 } },
      "[resource: file:///a, image/png, 2.9 KB]",
    ],
    [
      "a resource of nothing",
      { type: "resource", resource: { uri: "file:///a" } },
      "[resource: file:///a, binary, 0 bytes]",
    ],
    ["an unknown kind", { type: "chart", points: [1, 2] }, '{"type":"chart","points":[1,2]}'],
    ["an unknown kind with bytes", { type: "video", data: BASE64 }, '{"type":"video","data":"[2.9 KB]"}'],
    [
      "a resource without an address",
      { type: "resource", resource: { blob: BASE64 } },
      '{"type":"resource","resource":{"blob":"[2.9 KB]"}}',
    ],
    ["text that is none", { type: "text", text: 5 }, '{"type":"text","text":5}'],
  ])("reads as text: %s", (_, part, text) => {
    expect(result({ content: [part] }).text).toBe(text);
  });

  test("is kept in its parts, bytes included", () => {
    const { parts } = result({
      content: [
        { type: "text", text: "a", annotations: { priority: 1 } },
        { type: "image", data: BASE64, mimeType: "image/png" },
        { type: "resource", resource: { uri: "u", blob: BASE64, mimeType: "image/png" } },
        { type: "resource_link", uri: "u", name: "n", mimeType: "text/plain" },
      ],
    });
    expect(parts).toEqual([
      { type: "text", text: "a" },
      { type: "image", data: BASE64, mimeType: "image/png" },
      { type: "resource", uri: "u", mimeType: "image/png", blob: BASE64 },
      { type: "resource_link", uri: "u", name: "n", mimeType: "text/plain" },
    ]);
  });

  test.each<[string, JsonObject]>([
    ["is not there", {}],
    ["is no list", { content: "hello" }],
    ["is empty", { content: [] }],
  ])("that %s reads as nothing", (_, raw) => {
    expect(result(raw)).toEqual({ text: "", parts: [], isError: false, details: DETAILS });
  });

  test("that is no object is shown as it is", () => {
    expect(result({ content: ["a", 1, null] }).text).toBe('"a"\n\n1\n\nnull');
  });

  test("never shows bytes, whatever carries them", () => {
    const kinds: readonly JsonObject[] = [
      { type: "image", data: BASE64, mimeType: "image/png" },
      { type: "audio", data: BASE64, mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "u", blob: BASE64 } },
      { type: "video", data: BASE64 },
      { type: "resource", resource: { blob: BASE64 } },
      { type: "list", items: [{ blob: BASE64 }] },
    ];
    expect(result({ content: kinds }).text).not.toMatch(/[A-Za-z0-9+/]{40}/);
  });
});

describe("structured content", () => {
  test.each<[string, JsonObject, JsonValue, string]>([
    ["alone is shown as JSON", {}, { sum: 3 }, '{\n  "sum": 3\n}'],
    [
      "repeated as JSON is shown once",
      { text: '{"sum":3,"of":[1,2]}' },
      { of: [1, 2], sum: 3 },
      '{"sum":3,"of":[1,2]}',
    ],
    ["repeated as its own text is shown once", { text: "Sunny" }, { content: "Sunny" }, "Sunny"],
    ["that says more is shown too", { text: "done" }, { sum: 3 }, 'done\n\n{\n  "sum": 3\n}'],
    [
      "whose number is only a part of another is shown",
      { text: "10 and 20 make" },
      { sum: 1 },
      '10 and 20 make\n\n{\n  "sum": 1\n}',
    ],
    [
      "whose numbers end a sentence is shown once",
      { text: "The sum of 1 and 2 is -3.5." },
      { sum: -3.5, of: [1, 2] },
      "The sum of 1 and 2 is -3.5.",
    ],
    ["that is nothing adds nothing", { text: "done" }, null, "done"],
  ])("%s", (_, { text }, structuredContent, expected) => {
    const content = text === undefined ? [] : [{ type: "text", text }];
    const { text: shown, structured } = result({ content, structuredContent });
    expect({ shown, structured }).toEqual({ shown: expected, structured: structuredContent });
  });
});

test.each([
  [true, true],
  [false, false],
  ["yes", false],
  [undefined, false],
])("a tool said no when it says %j", (isError, expected) => {
  expect(result({ content: [], ...(isError !== undefined && { isError }) }).isError).toBe(expected);
});
