import { createAnthropic } from "ai-sdk-anthropic-3";
import { describe, expect, test } from "vitest";
import { aiSdkTools } from "../../src/adapters/ai-sdk/index.ts";
import { startModel } from "./model-server.ts";
import { calling, PICTURE, withHost } from "./tools-host.ts";

/** What is used of the SDK before this one, which is installed under a name of its own. */
interface AiSdk6 {
  generateText(options: object): Promise<{ readonly text: string }>;
  stepCountIs(count: number): unknown;
}

const sdk = (await import("ai-6")) as unknown as AiSdk6;

describe("the AI SDK 6", () => {
  test("calls tools and is given pictures", () =>
    withHost(async (host) => {
      await using server = await startModel([
        calling("echo", { text: "hi" }),
        calling("image"),
        { text: "done" },
      ]);
      const model = createAnthropic({ apiKey: "test", baseURL: `${server.url}/v1` })("claude-opus-4-6");
      const { tools } = await aiSdkTools(host.session(), { version: 6, schemas: "anthropic" });
      const stopWhen = sdk.stepCountIs(5);
      const { text } = await sdk.generateText({ model, tools, prompt: "go", stopWhen });
      expect({ text, refused: server.refused }).toEqual({ text: "done", refused: [] });
      expect(server.results()).toEqual([
        "hi",
        [{ type: "text", text: PICTURE }, expect.objectContaining({ type: "image" })],
      ]);
    }));
});
