import { openai } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { createHost } from "plugboard";
import { mastraTools } from "plugboard/mastra";

const host = await createHost();
try {
  const session = host.session();
  const agent = new Agent({
    id: "helper",
    name: "helper",
    instructions: "Answer in one sentence.",
    model: openai("gpt-5.1"),
    tools: () => mastraTools(session, { schemas: "openai" }),
  });
  const { text } = await agent.generate(process.argv[2]);
  console.log(text);
} finally {
  await host.close();
}
