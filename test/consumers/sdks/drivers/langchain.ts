import { ChatAnthropic } from "@langchain/anthropic";
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  isAIMessageChunk,
} from "@langchain/core/messages";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import {
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { type LangChainOptions, langChainTools } from "../../../../src/adapters/langchain/index.ts";
import type { Driver, Run } from "../../../adapters/scenarios/driver.ts";

const options: LangChainOptions = { schemas: "anthropic" };

function modelAt(url: string, isStreamed: boolean): ChatAnthropic {
  return new ChatAnthropic({
    apiKey: "test",
    model: "claude-opus-4-6",
    anthropicApiUrl: url,
    maxRetries: 0,
    streaming: isStreamed,
  });
}

export const langChain: Driver = {
  name: "LangChain",
  asks: "host",
  follows: "next request",
  async run({ session, url, signal, isStreamed }) {
    const messages: BaseMessage[] = [new HumanMessage("go")];
    for (;;) {
      const tools = await langChainTools(session, options);
      const model = modelAt(url, isStreamed).bindTools(tools);
      const chunks: string[] = [];
      let answer: AIMessage | AIMessageChunk;
      if (isStreamed) {
        let whole: AIMessageChunk | undefined;
        for await (const chunk of await model.stream(messages, { signal })) {
          whole = whole === undefined ? chunk : whole.concat(chunk);
          if (chunk.text !== "") chunks.push(chunk.text);
        }
        answer = whole ?? new AIMessage("");
      } else answer = await model.invoke(messages, { signal });
      const { tool_calls: calls = [] } = answer;
      if (calls.length === 0) return isStreamed ? chunks : [answer.text];
      const results = calls.map(
        async (call): Promise<unknown> =>
          tools.find(({ name }) => name === call.name)?.invoke({ ...call, type: "tool_call" }, { signal }),
      );
      messages.push(answer, ...((await Promise.all(results)) as BaseMessage[]));
    }
  },
};

export const langGraph: Driver = {
  name: "LangGraph `ToolNode`",
  asks: "sdk",
  follows: "next run",
  async run(run) {
    const tools = await langChainTools(run.session, {
      ...options,
      // LangGraph does not accept `false` as an answer.
      ask: ({ input }) => interrupt<unknown, string>(input) === "yes",
    });
    const graph = graphOf(run, tools);
    const config = { configurable: { thread_id: "1" }, signal: run.signal };
    const start = { messages: [new HumanMessage("go")] };
    if (run.isStreamed) {
      const chunks: string[] = [];
      for await (const [message] of await graph.stream(start, { ...config, streamMode: "messages" }))
        if (isAIMessageChunk(message as AIMessageChunk) && message.text !== "") chunks.push(message.text);
      return chunks;
    }
    let state = await graph.invoke(start, config);
    for (;;) {
      const { tasks } = await graph.getState(config);
      const [asked] = tasks.flatMap(({ interrupts }) => interrupts);
      if (asked === undefined) return [state.messages.at(-1)?.text ?? ""];
      state = await graph.invoke(new Command({ resume: run.approve(asked.value) ? "yes" : "no" }), config);
    }
  },
};

// oxlint-disable-next-line typescript/explicit-function-return-type -- the type of a compiled graph names its nodes
function graphOf({ url, isStreamed }: Run, tools: DynamicStructuredTool[]) {
  const model = modelAt(url, isStreamed).bindTools(tools);
  return new StateGraph(MessagesAnnotation)
    .addNode("agent", async ({ messages }, config) => ({ messages: [await model.invoke(messages, config)] }))
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "agent")
    .addConditionalEdges("agent", toolsCondition, ["tools", END])
    .addEdge("tools", "agent")
    .compile({ checkpointer: new MemorySaver() });
}
