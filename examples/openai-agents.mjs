import { Agent, run } from "@openai/agents";
import { createHost } from "plugboard";
import { agentsTools } from "plugboard/openai";

const host = await createHost();
try {
  const agent = new Agent({ name: "helper", model: "gpt-5.1", tools: await agentsTools(host.session()) });
  const { finalOutput } = await run(agent, process.argv[2]);
  console.log(finalOutput);
} finally {
  await host.close();
}
