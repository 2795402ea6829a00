import { createInterface } from "node:readline/promises";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { createHost } from "plugboard";
import { claudeAgentTools } from "plugboard/claude-agent";

const host = await createHost();
const terminal = createInterface({ input: process.stdin, output: process.stderr });
try {
  const { mcpServers, canUseTool } = claudeAgentTools(host.session());
  const ask = async (tool, input) => {
    const answer = await terminal.question(`Call ${tool} with ${JSON.stringify(input)}? [y/N] `);
    if (answer === "y") return { behavior: "allow", updatedInput: input };
    return { behavior: "deny", message: "The user denied the call." };
  };
  const options = { tools: [], settingSources: [], mcpServers, canUseTool: canUseTool(ask) };
  for await (const message of query({ prompt: process.argv[2], options }))
    if (message.type === "result") console.log(message.result);
} finally {
  terminal.close();
  await host.close();
}
