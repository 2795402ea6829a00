import { Agent, run } from "@openai/agents";
import { createHost } from "plugboard";
import { agentsTools } from "plugboard/openai";

const host = await createHost();
try {
  const tools = await agentsTools(host.session(), { waitMs: 30_000 });
  const agent = new Agent({ name: "helper", model: "gpt-5.1", tools });
  const { finalOutput } = await run(agent, process.argv[2]);
  console.log(finalOutput);
} finally {
  await host.close();
}
