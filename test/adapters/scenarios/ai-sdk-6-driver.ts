import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, type ModelMessage, stepCountIs, streamText } from "ai";
import { aiSdkTools } from "../../../src/adapters/ai-sdk/index.ts";
import { approving, collect } from "./ai-sdk-loop.ts";
import type { Driver } from "./driver.ts";

/** The AI SDK 6, which is one of the repository's own packages. */
export const aiSdk6: Driver = {
  name: "AI SDK 6",
  asks: "sdk",
  follows: "next request",
  async run(run) {
    const { tools } = await aiSdkTools(run.session, { schemas: "anthropic" });
    const model = createAnthropic({ apiKey: "test", baseURL: `${run.url}/v1` })("claude-opus-4-6");
    const common = { model, tools, stopWhen: stepCountIs(25), abortSignal: run.signal };
    if (run.isStreamed) return collect(streamText({ ...common, prompt: "go" }).textStream);
    return approving<ModelMessage>(run, async (messages) => {
      const { text, content, response } = await generateText({ ...common, messages });
      return { text, content, messages: response.messages };
    });
  },
};
