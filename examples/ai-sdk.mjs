import { openai } from "@ai-sdk/openai";
import { generateText, isStepCount } from "ai";
import { createHost } from "plugboard";
import { aiSdkTools } from "plugboard/ai-sdk";

const host = await createHost();
try {
  const { tools } = await aiSdkTools(host.session(), { schemas: "openai", waitMs: 30_000 });
  const stopWhen = isStepCount(10);
  const { text } = await generateText({ model: openai("gpt-5.1"), tools, prompt: process.argv[2], stopWhen });
  console.log(text);
} finally {
  await host.close();
}
