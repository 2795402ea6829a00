import { createAnthropic } from "@ai-sdk/anthropic";
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { InMemoryStore } from "@mastra/core/storage";
import { mastraTools } from "../../../src/adapters/mastra/index.ts";
import { collect } from "../../adapters/scenarios/ai-sdk-loop.ts";
import type { Driver } from "../../adapters/scenarios/driver.ts";
import { mastraFacts } from "./facts.ts";

export const mastra: Driver = {
  ...mastraFacts,
  async run({ session, url, signal, isStreamed, approve }) {
    const test = new Agent({
      id: "test",
      name: "test",
      instructions: "",
      model: createAnthropic({ apiKey: "test", baseURL: `${url}/v1` })("claude-opus-4-6"),
      tools: () => mastraTools(session, { schemas: "anthropic" }),
    });
    // A suspended run is kept in the storage.
    const agent = new Mastra({ agents: { test }, storage: new InMemoryStore(), logger: false }).getAgent(
      "test",
    );
    const options = { abortSignal: signal, maxSteps: 25 };
    if (isStreamed) return collect((await agent.stream("go", options)).textStream);
    let result = await agent.generate("go", options);
    while (result.finishReason === "suspended") {
      const { toolCallId, args } = result.suspendPayload as { toolCallId: string; args: unknown };
      const call = { runId: result.runId ?? "", toolCallId, ...options };
      result = approve(args)
        ? await agent.approveToolCallGenerate(call)
        : await agent.declineToolCallGenerate(call);
    }
    return [result.text];
  },
};
