import { Agent, OpenAIProvider, Runner, setTracingDisabled } from "@openai/agents";
import OpenAI from "openai";
import { agentsTools, chatTools, responsesTools } from "../../../../src/adapters/openai/index.ts";
import type { Driver } from "../../../adapters/scenarios/driver.ts";

setTracingDisabled(true);

const MOST_TOOLS = 128;
const model = "gpt-5.1";
const clientAt = (url: string): OpenAI => new OpenAI({ apiKey: "test", baseURL: `${url}/v1`, maxRetries: 0 });

export const responses: Driver = {
  name: "OpenAI Responses",
  asks: "host",
  follows: "next request",
  mostTools: MOST_TOOLS,
  sendsNull: true,
  async run({ session, url, signal, isStreamed, isStrict }) {
    const client = clientAt(url);
    const tools = responsesTools(session, { strict: isStrict });
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "go" }];
    for (;;) {
      const chunks: string[] = [];
      const request = { model, input, tools: await tools.definitions() };
      const response = isStreamed
        ? await client.responses
            .stream(request, { signal })
            .on("response.output_text.delta", ({ delta }) => chunks.push(delta))
            .finalResponse()
        : await client.responses.create(request, { signal });
      const outputs = await tools.run(response.output, { signal });
      if (outputs.length === 0) return isStreamed ? chunks : [response.output_text];
      input.push(...(response.output as OpenAI.Responses.ResponseInput), ...outputs);
    }
  },
};

export const chat: Driver = {
  name: "OpenAI Chat Completions",
  asks: "host",
  follows: "next request",
  mostTools: MOST_TOOLS,
  sendsNull: true,
  notApplicable: { image: "the API accepts only text in tool messages" },
  async run({ session, url, signal, isStreamed, isStrict }) {
    const client = clientAt(url);
    const tools = chatTools(session, { strict: isStrict });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "go" }];
    for (;;) {
      const chunks: string[] = [];
      const request = { model, messages, tools: await tools.definitions() };
      const { choices } = isStreamed
        ? await client.chat.completions
            .stream(request, { signal })
            .on("content", (delta) => chunks.push(delta))
            .finalChatCompletion()
        : await client.chat.completions.create(request, { signal });
      const message = choices[0]?.message;
      if (message?.tool_calls === undefined) return isStreamed ? chunks : [message?.content ?? ""];
      messages.push(message, ...(await tools.run(message.tool_calls, { signal })));
    }
  },
};

export const agents: Driver = {
  name: "OpenAI Agents SDK",
  asks: "sdk",
  follows: "next run",
  mostTools: MOST_TOOLS,
  sendsNull: true,
  async run({ session, url, signal, isStreamed, isStrict, approve }) {
    const modelProvider = new OpenAIProvider({ openAIClient: clientAt(url), useResponses: true });
    const agent = new Agent({ name: "test", model, tools: await agentsTools(session, { strict: isStrict }) });
    const runner = new Runner({ modelProvider });
    if (isStreamed) {
      const chunks: string[] = [];
      const result = await runner.run(agent, "go", { stream: true, signal });
      for await (const chunk of result.toTextStream()) chunks.push(chunk);
      await result.completed;
      return chunks;
    }
    let result = await runner.run(agent, "go", { signal });
    while (result.interruptions.length > 0) {
      for (const asked of result.interruptions)
        if (approve(JSON.parse(asked.arguments ?? "{}"))) result.state.approve(asked);
        else result.state.reject(asked);
      result = await runner.run(agent, result.state, { signal });
    }
    return [String(result.finalOutput)];
  },
};
