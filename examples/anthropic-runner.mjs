import Anthropic from "@anthropic-ai/sdk";
import { createHost } from "plugboard";
import { anthropicTools } from "plugboard/anthropic";

const host = await createHost();
try {
  const tools = await anthropicTools(host.session()).runnable({ waitMs: 30_000 });
  const messages = [{ role: "user", content: process.argv[2] }];
  const request = { model: "claude-opus-4-6", max_tokens: 4096, messages, tools };
  const { content } = await new Anthropic().beta.messages.toolRunner(request);
  console.log(content[0].text);
} finally {
  await host.close();
}
