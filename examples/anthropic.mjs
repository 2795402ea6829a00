import Anthropic from "@anthropic-ai/sdk";
import { createHost } from "plugboard";
import { anthropicTools } from "plugboard/anthropic";

const client = new Anthropic();
const host = await createHost();
try {
  const tools = anthropicTools(host.session());
  const messages = [{ role: "user", content: process.argv[2] }];
  for (;;) {
    const request = {
      model: "claude-opus-4-6",
      max_tokens: 4096,
      messages,
      tools: await tools.definitions({ waitMs: 30_000 }),
    };
    const { content, stop_reason } = await client.messages.create(request);
    messages.push({ role: "assistant", content });
    if (stop_reason !== "tool_use") break;
    messages.push({ role: "user", content: await tools.run(content) });
  }
  console.log(messages.at(-1).content[0].text);
} finally {
  await host.close();
}
