import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools } from "../../../../src/adapters/anthropic/index.ts";
import type { Driver } from "../../../adapters/scenarios/driver.ts";

const request = { model: "claude-opus-4-6", max_tokens: 1_000 };
const clientAt = (baseURL: string): Anthropic => new Anthropic({ apiKey: "test", baseURL, maxRetries: 0 });

export const messages: Driver = {
  name: "Anthropic Messages",
  asks: "host",
  follows: "next request",
  async run({ session, url, signal, isStreamed }) {
    const client = clientAt(url);
    const tools = anthropicTools(session);
    const history: Anthropic.MessageParam[] = [{ role: "user", content: "go" }];
    for (;;) {
      const chunks: string[] = [];
      const body = { ...request, messages: history, tools: await tools.definitions() };
      const message = isStreamed
        ? await client.messages
            .stream(body, { signal })
            .on("text", (delta) => chunks.push(delta))
            .finalMessage()
        : await client.messages.create(body, { signal });
      if (message.stop_reason !== "tool_use") return isStreamed ? chunks : message.content.map(textOf);
      history.push({ role: "assistant", content: message.content });
      history.push({ role: "user", content: await tools.run(message.content, { signal }) });
    }
  },
};

export const toolRunner: Driver = {
  name: "Anthropic tool runner",
  asks: "host",
  follows: "next run",
  async run({ session, url, signal, isStreamed }) {
    const tools = await anthropicTools(session).runnable();
    const body = { ...request, messages: [{ role: "user" as const, content: "go" }], tools };
    if (!isStreamed)
      return (await clientAt(url).beta.messages.toolRunner(body, { signal }).runUntilDone()).content.map(
        textOf,
      );
    const chunks: string[] = [];
    for await (const stream of clientAt(url).beta.messages.toolRunner({ ...body, stream: true }, { signal }))
      for await (const event of stream)
        if (event.type === "content_block_delta" && event.delta.type === "text_delta")
          chunks.push(event.delta.text);
    return chunks;
  },
};

function textOf(block: { readonly type: string }): string {
  return "text" in block ? String(block.text) : "";
}
