import { describe, expect, test } from "vitest";
import { type AiSdkToolOptions, aiSdkTools, type ModelOutput } from "../../src/adapters/ai-sdk/index.ts";
import type { AgentTool, ContentPart, ToolResult } from "../../src/index.ts";

const BYTES = "AAAA";
const tool: AgentTool = {
  name: "mcp_files_read",
  title: "read",
  description: "Reads",
  inputSchema: { type: "object", properties: {} },
  server: "files",
  tool: "read",
  approval: "allow",
  stale: false,
  execute: () => Promise.reject(new Error("not called here")),
};

async function outputOf(output: unknown, options: AiSdkToolOptions = {}): Promise<ModelOutput | undefined> {
  const { tools } = await aiSdkTools([tool], { version: 7, ...options });
  return tools[tool.name]?.toModelOutput({ output });
}

const answer = (parts: readonly ContentPart[], more: Partial<ToolResult> = {}): unknown => ({
  text: "what it said",
  parts,
  isError: false,
  ...more,
});
const text = { type: "text", text: "what it said" };
const file = (mediaType: string, filename: string): unknown => ({
  type: "file",
  mediaType,
  filename,
  data: { type: "data", data: BYTES },
});

describe("the model's part of a result", () => {
  test.each<[string, readonly ContentPart[], unknown]>([
    ["a text", [{ type: "text", text: "x" }], undefined],
    ["an image", [{ type: "image", data: BYTES, mimeType: "image/png" }], file("image/png", "image.png")],
    [
      "an image whose type has an unusual spelling",
      [{ type: "image", data: BYTES, mimeType: "image/JPEG; q=1" }],
      file("image/jpeg", "image.jpeg"),
    ],
    [
      "an image that few models accept",
      [{ type: "image", data: BYTES, mimeType: "image/svg+xml" }],
      undefined,
    ],
    ["a sound", [{ type: "audio", data: BYTES, mimeType: "audio/wav" }], undefined],
    [
      "a file",
      [{ type: "resource", uri: "file:///a/r%20x.pdf?v=1", mimeType: "application/pdf", blob: BYTES }],
      file("application/pdf", "r_20x.pdf"),
    ],
    ["binary data without a type", [{ type: "resource", uri: "x://", blob: BYTES }], undefined],
    ["an embedded text", [{ type: "resource", uri: "note://a", text: "x" }], undefined],
    ["a link", [{ type: "resource_link", uri: "note://a", name: "a" }], undefined],
  ])("%s", async (_, parts, media) => {
    expect(await outputOf(answer(parts))).toEqual(
      media === undefined ? { type: "text", value: text.text } : { type: "content", value: [text, media] },
    );
  });

  test("audio, if the program accepts it", async () => {
    const parts: ContentPart[] = [{ type: "audio", data: BYTES, mimeType: "audio/wav" }];
    expect(await outputOf(answer(parts), { accepts: (type) => type.startsWith("audio/") })).toEqual({
      type: "content",
      value: [text, file("audio/wav", "audio.wav")],
    });
  });

  test("media in the format of the AI SDK 6", async () => {
    const parts: ContentPart[] = [
      { type: "image", data: BYTES, mimeType: "image/png" },
      { type: "resource", uri: "x://a.pdf", mimeType: "application/pdf", blob: BYTES },
    ];
    const { tools: ofUnknown } = await aiSdkTools([tool]);
    const expected = {
      type: "content",
      value: [
        text,
        { type: "image-data", data: BYTES, mediaType: "image/png" },
        { type: "file-data", data: BYTES, mediaType: "application/pdf", filename: "a.pdf" },
      ],
    };
    expect(await outputOf(answer(parts), { version: 6 })).toEqual(expected);
    expect(ofUnknown[tool.name]?.toModelOutput({ output: answer(parts) })).toEqual(expected);
  });

  test("structured content that the text already contains", async () => {
    const output = answer([], { structured: { sum: 3 }, text: '{"sum":3}' });
    expect(await outputOf(output)).toEqual({ type: "text", value: '{"sum":3}' });
  });

  test("only the text of an error", async () => {
    const parts: ContentPart[] = [{ type: "image", data: BYTES, mimeType: "image/png" }];
    expect(await outputOf(answer(parts, { isError: true, text: "Error: no" }))).toEqual({
      type: "error-text",
      value: "Error: no",
    });
  });

  test("execute returns a promise, for SDKs that await it", async () => {
    const result = { text: "hi", parts: [], isError: false };
    const { tools } = await aiSdkTools([{ ...tool, execute: async () => result as unknown as ToolResult }]);
    const returned = tools[tool.name]?.execute({}, { toolCallId: "1" });
    expect(returned).toBeInstanceOf(Promise);
    expect(await returned).toEqual(result);
  });

  test.each([
    ["a text from an older conversation", "old", "old"],
    ["something else", { a: 1 }, '{"a":1}'],
    ["nothing", undefined, ""],
  ])("%s", async (_, output, value) => {
    expect(await outputOf(output)).toEqual({ type: "text", value });
  });
});
