import { createAnthropic } from "@ai-sdk/anthropic";
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  ToolLoopAgent,
} from "ai";
import { aiSdkTools } from "../../../../src/adapters/ai-sdk/index.ts";
import { approving, collect } from "../../../adapters/scenarios/ai-sdk-loop.ts";
import type { Driver } from "../../../adapters/scenarios/driver.ts";

const stopWhen = isStepCount(25);
const modelAt = (url: string): LanguageModel =>
  createAnthropic({ apiKey: "test", baseURL: `${url}/v1` })("claude-opus-4-6");

export const aiSdk7: Driver = {
  name: "AI SDK 7",
  asks: "sdk",
  follows: "next request",
  async run(run) {
    const { tools } = await aiSdkTools(run.session, { schemas: "anthropic" });
    const common = { model: modelAt(run.url), tools, stopWhen, abortSignal: run.signal };
    if (run.isStreamed) return collect(streamText({ ...common, prompt: "go" }).textStream);
    return approving<ModelMessage>(run, async (messages) => {
      const { text, content, responseMessages } = await generateText({ ...common, messages });
      return { text, content, messages: responseMessages };
    });
  },
};

export const toolLoopAgent: Driver = {
  name: "AI SDK 7 `ToolLoopAgent`",
  asks: "sdk",
  follows: "next request",
  async run(run) {
    const { tools } = await aiSdkTools(run.session, { schemas: "anthropic" });
    const agent = new ToolLoopAgent({ model: modelAt(run.url), tools, stopWhen });
    const abortSignal = run.signal;
    if (run.isStreamed) return collect((await agent.stream({ prompt: "go", abortSignal })).textStream);
    return approving<ModelMessage>(run, async (messages) => {
      const { text, content, responseMessages } = await agent.generate({ messages, abortSignal });
      return { text, content, messages: responseMessages };
    });
  },
};
